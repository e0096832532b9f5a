package berth.service;

import berth.accounts.SecretFiles;
import berth.archive.Migration;
import berth.archive.PostgresBackups;
import berth.booking.store.PostgresRecords;
import berth.booking.store.PostgresReports;
import berth.booking.store.PostgresReservationList;
import berth.database.AcknowledgedPositions;
import berth.database.ClockRecord;
import berth.database.Connections;
import berth.database.DataDirectory;
import berth.database.Database;
import berth.database.Durability;
import berth.database.EmbeddedServer;
import berth.database.Fence;
import berth.database.Generation;
import berth.database.InstanceMode;
import berth.database.ProjectionProgress;
import berth.database.Seal;
import berth.database.StartRefused;
import berth.database.Takeover;
import berth.database.WriterLock;
import berth.engine.Backups;
import berth.engine.Ledger;
import berth.engine.ReportRecords;
import berth.peers.PeerStore;
import berth.peers.QuestionStore;
import berth.peers.store.PostgresPeers;
import berth.peers.store.PostgresQuestions;
import berth.projects.ProjectStore;
import berth.projects.store.PostgresBudgets;
import berth.projects.store.PostgresProjects;
import berth.runtime.SettingChecks;
import berth.runtime.Timekeeper;
import berth.store.PostgresLedger;
import berth.store.Projector;
import berth.store.Retention;
import berth.webhooks.WebhookStore;
import berth.webhooks.store.PostgresWebhooks;
import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.persistence.EntityManagerFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.hibernate.SessionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.data.jpa.repository.query.QueryEnhancerFactories;
import org.springframework.data.jpa.repository.query.QueryEnhancerSelector;
import org.springframework.data.jpa.repository.support.JpaRepositoryFactoryBean;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.util.StringUtils;

/** Creates the components for storage. Nothing is migrated, read or written before this process is the only writer. */
@Configuration(proxyBeanMethods = false)
@EntityScan("berth")
@EnableJpaRepositories(
        basePackages = "berth",
        considerNestedRepositories = true,
        enableDefaultTransactions = false,
        queryEnhancerSelector = PersistenceConfiguration.QueriesAsTheyAre.class)
@Import({PostgresRecords.class, PostgresReservationList.class})
@EnableConfigurationProperties({InstanceSettings.class, PostgresBackups.Settings.class})
public class PersistenceConfiguration {

    /** Leaves queries as they are: none is counted or sorted afterwards, so only Hibernate must understand them. */
    static final class QueriesAsTheyAre extends QueryEnhancerSelector.DefaultQueryEnhancerSelector {
        QueriesAsTheyAre() {
            super(QueryEnhancerFactories.fallback(), QueryEnhancerFactories.fallback());
        }
    }

    /** Refuses the start before anything is opened. */
    @Bean
    static BeanFactoryPostProcessor usableSettings(Environment environment) {
        return _ -> {
            InstanceSettings.requirePresentNames(environment);
            var demo = environment.getProperty("berth.demo", "false");
            SettingChecks.requireTrueOrFalse("berth.demo", demo);
            var speed = environment.getProperty("berth.demo-speed", "1");
            SettingChecks.requireUpTo("berth.demo-speed", 100, speed);
            if (demo.equals("false") && !speed.equals("1")) {
                throw new InvalidConfigurationPropertyValueException(
                        "berth.demo-speed", speed, "Only the time of a demo can run faster. Set BERTH_DEMO=true, too.");
            }
        };
    }

    @Bean
    DataDirectory dataDirectory(@Value("${berth.data-dir}") Path path) {
        return new DataDirectory(path);
    }

    /** Created unless the operator names a database. */
    @Bean
    @Conditional(NoDatabaseNamed.class)
    EmbeddedServer embeddedServer(DataDirectory directory) {
        return new EmbeddedServer(directory);
    }

    static final class NoDatabaseNamed implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !StringUtils.hasText(context.getEnvironment().getProperty("spring.datasource.url"));
        }
    }

    @Bean
    Generation generation(ApplicationEventPublisher events) {
        return new Generation(events);
    }

    @Bean
    AcknowledgedPositions acknowledged(DataDirectory directory) {
        return new AcknowledgedPositions(directory);
    }

    @Bean
    Seal seal(DataDirectory directory, @Value("${berth.secrets.key}") String key, InstanceSettings instances) {
        return new Seal(directory, key, instances.mode());
    }

    @Bean
    ClockRecord clockRecord(
            ObjectProvider<Database> database, Timekeeper timekeeper, @Value("${berth.time.accept}") String accepted) {
        return new ClockRecord(database, timekeeper, accepted);
    }

    @Bean
    WriterLock writerLock(
            DataDirectory directory,
            JdbcConnectionDetails database,
            Generation generation,
            Durability durability,
            InstanceSettings instances) {
        if (instances.mode() == InstanceMode.MANY && database instanceof EmbeddedServer) {
            throw new StartRefused(
                    "Several instances need a database that all of them reach; the embedded database serves only one.",
                    "Set SPRING_DATASOURCE_URL to such a database, or start a single instance with BERTH_INSTANCES_MODE=ONE.");
        }
        return new WriterLock(database, generation, durability, instances.mode());
    }

    @Bean
    Takeover takeover(
            JdbcConnectionDetails database,
            Durability durability,
            Generation generation,
            AcknowledgedPositions acknowledged,
            ClockRecord clockRecord) {
        return new Takeover(database, durability, generation, acknowledged, clockRecord);
    }

    @Bean
    FlywayMigrationStrategy migrateAsOnlyWriter(
            WriterLock lock,
            Durability durability,
            Takeover takeover,
            DataDirectory directory,
            JdbcConnectionDetails database,
            InstantSource clock,
            PostgresBackups.Settings settings,
            InstanceSettings instances) {
        var migration = new Migration(database, durability, settings.directory(directory), clock);
        return flyway -> {
            migration.migrate(flyway);
            if (instances.mode() == InstanceMode.ONE) {
                takeover.take();
            }
        };
    }

    /** Gives readers their own connections. */
    @Bean
    static BeanPostProcessor connectionsOfTheirOwn(
            ObjectProvider<Durability> durability, ObjectProvider<Generation> generation) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof HikariDataSource pool
                        ? new Connections(
                                pool,
                                durability.getObject(),
                                generation.getObject().tag())
                        : bean;
            }
        };
    }

    @Bean
    MeterBinder readingsMeters(DataSource connections) {
        return registry -> {
            if (connections instanceof Connections pools) {
                pools.countIn(registry);
            }
        };
    }

    @Bean
    ProjectionProgress progress() {
        return new ProjectionProgress();
    }

    @Bean
    Database database(
            EntityManagerFactory factory, ProjectionProgress progress, Generation generation, Durability durability) {
        return new Database(factory.unwrap(SessionFactory.class), progress, new Fence() {
            @Override
            public void require(Connection connection) throws SQLException {
                durability.require();
                generation.require(connection);
            }

            @Override
            public boolean isOpen() {
                return generation.isOpen();
            }
        });
    }

    /** The bean's name is the name of the component in the health report. */
    @Bean
    Durability durability(
            @Value("${berth.database.copies}") int copies,
            AcknowledgedPositions acknowledged,
            ProjectionProgress progress) {
        return new Durability(copies, acknowledged::doubt, progress::reset);
    }

    /** Makes transactions of repositories pass the same fence as all others. */
    @Bean
    PlatformTransactionManager transactionManager(EntityManagerFactory factory, Database database) {
        return new JpaTransactionManager(factory) {
            @Override
            protected void prepareForCommit(DefaultTransactionStatus status) {
                database.requireWriter(
                        Objects.requireNonNull(EntityManagerFactoryUtils.getTransactionalEntityManager(factory)));
            }
        };
    }

    @Bean(initMethod = "start")
    Projector projector(Database database, ProjectionProgress progress, InstantSource clock, MeterRegistry registry) {
        return new Projector(database, progress, clock, registry);
    }

    @Bean
    HealthIndicator projectionHealthIndicator(Projector projector) {
        return () -> (projector.isHealthy() ? Health.up() : Health.down()).build();
    }

    /** Makes repositories use the same access to the database as everything else. */
    @Bean
    static BeanPostProcessor askedInTurn(ObjectProvider<Database> database) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof JpaRepositoryFactoryBean<?, ?, ?> repository) {
                    repository.addRepositoryFactoryCustomizer(factory -> factory.addRepositoryProxyPostProcessor(
                            (proxy, _) -> proxy.addAdvice(0, database.getObject())));
                }
                return bean;
            }
        };
    }

    @Bean
    Ledger ledger(
            Database database,
            DataSource connections,
            ProjectionProgress progress,
            Projector projector,
            Generation generation,
            AcknowledgedPositions acknowledged,
            Durability durability,
            InstantSource clock) {
        return new PostgresLedger(
                database, connections, progress, projector, generation, acknowledged, durability.copies(), clock);
    }

    @Bean
    PeerStore peerStore(PostgresPeers.Peers rows, Seal seal) {
        return new PostgresPeers(rows, seal);
    }

    @Bean
    WebhookStore webhookStore(Database database, Seal seal) {
        return new PostgresWebhooks(database, seal);
    }

    @Bean
    ProjectStore projectStore(Database database) {
        return new PostgresProjects(database);
    }

    @Bean
    PostgresBudgets budgetStore(Database database) {
        return new PostgresBudgets(database);
    }

    @Bean
    ReportRecords reportRecords(Database database) {
        return new PostgresReports(database);
    }

    @Bean
    QuestionStore questions(Database database) {
        return new PostgresQuestions(database);
    }

    @Bean
    SecretFiles secretFiles(DataDirectory directory) {
        return directory::writeSecret;
    }

    @Bean
    Housekeeping housekeeping(
            PostgresRecords records,
            Database database,
            InstantSource clock,
            @Value("${berth.retention}") Duration kept) {
        return new Housekeeping(records, database, clock, kept, Retention.STANDARD);
    }

    @Bean
    Backups backups(
            Database database,
            DataDirectory directory,
            Flyway flyway,
            InstantSource clock,
            PostgresBackups.Settings settings,
            MeterRegistry registry) {
        return new PostgresBackups(database, directory, flyway, clock, settings, registry);
    }
}
