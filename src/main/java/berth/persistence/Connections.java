package berth.persistence;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The connections to the database, in two pools. One is for what changes something, and for what must be read before that: nobody
 * who only looks takes them away. The other is for who only looks: there the server ends what takes too long, and what nobody waits
 * for any more. On the first it ends nothing, since a commit that waits for a standby would end with a warning then.
 */
final class Connections extends DelegatingDataSource implements AutoCloseable {

    /** The server gives up before the driver does, so that nothing is left at work there. */
    private static final String READING_OPTIONS = " -c statement_timeout=8s -c client_connection_check_interval=2s";

    private static final String READING_SECONDS = "10";

    private final HikariDataSource readings;

    /** @param changes the pool of those that change something; the other one is set up as it is */
    Connections(HikariDataSource changes) {
        super(changes);
        // a copy of the state would share the properties
        var config = new HikariConfig();
        config.setJdbcUrl(changes.getJdbcUrl());
        config.setUsername(changes.getUsername());
        config.setPassword(changes.getPassword());
        config.setConnectionTimeout(changes.getConnectionTimeout());
        config.setValidationTimeout(changes.getValidationTimeout());
        config.setMaxLifetime(changes.getMaxLifetime());
        changes.getDataSourceProperties()
                .forEach((name, value) -> config.addDataSourceProperty(name.toString(), value));
        config.addDataSourceProperty(
                "options", changes.getDataSourceProperties().getProperty("options", "") + READING_OPTIONS);
        config.addDataSourceProperty("socketTimeout", READING_SECONDS);
        config.setPoolName("readings");
        config.setMaximumPoolSize(Reading.onPoolOfTheirOwn());
        config.setMinimumIdle(1);
        // it is filled when it is wanted, which may be never
        config.setInitializationFailTimeout(-1);
        readings = new HikariDataSource(config);
    }

    void countIn(MeterRegistry registry) {
        readings.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
    }

    @Override
    public Connection getConnection() throws SQLException {
        return Reading.isOnPoolOfItsOwn()
                ? readings.getConnection()
                : heeding(Objects.requireNonNull(getTargetDataSource()).getConnection());
    }

    /** The connection, whose commits fail that end with a warning. */
    private static Connection heeding(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                Connections.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                    try {
                        var result = method.invoke(connection, arguments);
                        if (method.getName().equals("commit")) {
                            Sql.requireNoWarning(connection.getWarnings());
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    @Override
    public void close() {
        readings.close();
        ((HikariDataSource) Objects.requireNonNull(getTargetDataSource())).close();
    }
}
