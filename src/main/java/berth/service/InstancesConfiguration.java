package berth.service;

import berth.accounts.Accounts;
import berth.accounts.AdminToken;
import berth.cluster.Cluster;
import berth.database.Database;
import berth.database.Generation;
import berth.database.Takeover;
import berth.engine.Budgets;
import berth.engine.Desks;
import berth.engine.Ledger;
import berth.instances.Instance;
import berth.instances.Instances;
import berth.instances.SharedInstance;
import berth.instances.store.Opening;
import berth.instances.store.PostgresRoll;
import berth.instances.store.PostgresWriterRole;
import berth.instances.store.SingleInstance;
import berth.peers.Peers;
import berth.projects.Projects;
import berth.runtime.Threads;
import berth.webhooks.Webhooks;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Determines when an instance opens its desks: at its start if it is alone, otherwise when it becomes active. */
@Configuration(proxyBeanMethods = false)
class InstancesConfiguration {

    @Bean
    Opening opening(
            Accounts accounts,
            Projects projects,
            AdminToken adminToken,
            Peers peers,
            Webhooks webhooks,
            Budgets budgets,
            Desks desks,
            Ledger ledger,
            Database database,
            Cluster firstCluster) {
        return new Opening(
                accounts, projects, adminToken, peers, webhooks, budgets, desks, ledger, database, firstCluster);
    }

    /** Opens the desks of a single instance once everything else is ready. Until then the service reports itself as unavailable. */
    @Bean
    @ConditionalOnProperty(name = "berth.instances.mode", havingValue = "ONE")
    ApplicationRunner recovery(Opening opening) {
        return _ -> opening.open();
    }

    @Bean
    @ConditionalOnProperty(name = "berth.instances.mode", havingValue = "ONE")
    Instances alone(Generation generation, InstanceSettings settings, Environment environment, InstantSource clock) {
        return new SingleInstance(self(generation, settings, environment, clock).in(Instance.State.ACTIVE), clock);
    }

    @Bean(destroyMethod = "")
    @ConditionalOnProperty(name = "berth.instances.mode", havingValue = "MANY")
    SharedInstance instances(
            JdbcConnectionDetails database,
            Generation generation,
            Takeover takeover,
            ObjectProvider<Opening> opening,
            Environment environment,
            InstantSource clock,
            InstanceSettings settings,
            MeterRegistry registry) {
        return new SharedInstance(
                () -> PostgresRoll.open(takeover, settings.lease().dividedBy(2)),
                new PostgresWriterRole(database, takeover, generation, opening::getObject),
                () -> self(generation, settings, environment, clock),
                settings.lease(),
                Threads.OF_THE_JVM,
                registry);
    }

    /** Makes the instance stand by once it accepts calls. */
    @Bean
    @ConditionalOnProperty(name = "berth.instances.mode", havingValue = "MANY")
    ApplicationRunner standingBy(SharedInstance instances) {
        return _ -> instances.standBy();
    }

    /** Makes the instance leave once it accepts no more calls. */
    @Bean
    @ConditionalOnProperty(name = "berth.instances.mode", havingValue = "MANY")
    SmartLifecycle leaving(SharedInstance instances) {
        return new Leaving(instances);
    }

    private static final class Leaving implements SmartLifecycle {
        private final SharedInstance member;
        private volatile boolean isRunning;

        Leaving(SharedInstance member) {
            this.member = member;
        }

        @Override
        public void start() {
            isRunning = true;
        }

        @Override
        public void stop() {
            isRunning = false;
            member.close();
        }

        @Override
        public boolean isRunning() {
            return isRunning;
        }

        @Override
        public int getPhase() {
            return DEFAULT_PHASE - 4096;
        }
    }

    private static Instance self(
            Generation generation, InstanceSettings settings, Environment environment, InstantSource clock) {
        var url = settings.url();
        var now = clock.instant();
        return new Instance(
                generation.process(),
                generation.name(),
                URI.create(
                        url.isBlank()
                                ? "http://%s:%s".formatted(Generation.hostName(), port(environment))
                                : url.strip().replaceAll("/+$", "")),
                environment.getProperty("spring.application.version", "development"),
                Instance.State.STANDBY,
                now,
                now);
    }

    /** Returns the actual port, or the configured one while there is none. */
    private static String port(Environment environment) {
        return environment.getProperty("local.server.port", environment.getRequiredProperty("server.port"));
    }
}
