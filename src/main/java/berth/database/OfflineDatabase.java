package berth.database;

import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

/** A database with this Berth's schema that is opened with or without a running service. Nothing is decided on it, and no client waits. */
public final class OfflineDatabase implements AutoCloseable {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final int schema;

    /**
     * Opens the database.
     *
     * @throws StartRefused if it has another schema
     */
    public OfflineDatabase(JdbcConnectionDetails place) {
        schema = Schema.requireCurrent(place);
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "offline",
                        Map.of(
                                "spring.datasource.hikari.maximum-pool-size",
                                2,
                                "spring.datasource.hikari.data-source-properties.ApplicationName",
                                "berth command",
                                // offline work may take long
                                "spring.datasource.hikari.data-source-properties.socketTimeout",
                                0)));
        context.registerBean(JdbcConnectionDetails.class, () -> place);
        context.register(Wiring.class);
        context.refresh();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class})
    @EntityScan("berth")
    static class Wiring {}

    public Database database() {
        var factory = context.getBean(EntityManagerFactory.class);
        return new Database(factory.unwrap(SessionFactory.class), new ProjectionProgress(), Fence.NONE);
    }

    /** Returns the version of its schema. */
    public int schema() {
        return schema;
    }

    @Override
    public void close() {
        context.close();
    }
}
