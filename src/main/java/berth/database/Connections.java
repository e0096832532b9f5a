package berth.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The connections to the database, in two pools. One pool is for changes and for reads that must precede them, so that mere readers cannot
 * exhaust it. The other is for readers; there the server ends queries that take too long or whose client has given up. It ends nothing in
 * the first pool, because a commit that waits for a standby would then end with only a warning.
 *
 * <p>When one connection breaks, the idle connections of both pools are closed at once instead of being tried one after another, and those
 * in use once they are returned.
 */
public final class Connections extends DelegatingDataSource implements AutoCloseable {

    /** The server's timeout is shorter than the driver's, so no query is left running. */
    private static final String READING_OPTIONS = " -c statement_timeout=8s -c client_connection_check_interval=2s";

    private static final String READING_SECONDS = "10";

    private final Durability durability;
    private final String tag;
    private final HikariDataSource readings;

    /**
     * Creates the pools.
     *
     * @param changes the pool for changes; the other one gets the same configuration
     * @param tag the suffix of the names of all sessions of this process
     */
    public Connections(HikariDataSource changes, Durability durability, String tag) {
        super(changes);
        this.durability = durability;
        this.tag = tag;
        var told = changes.getDataSourceProperties();
        changes.setDataSource(servers(changes, told));
        changes.setExceptionOverride(new Broken());
        // a copy of the state would share the properties
        var config = new HikariConfig();
        config.setConnectionTimeout(changes.getConnectionTimeout());
        config.setValidationTimeout(changes.getValidationTimeout());
        config.setMaxLifetime(changes.getMaxLifetime());
        var properties = new Properties();
        properties.putAll(told);
        properties.setProperty("ApplicationName", "berth readings");
        properties.setProperty("options", told.getProperty("options", "") + READING_OPTIONS);
        properties.setProperty("socketTimeout", READING_SECONDS);
        config.setDataSource(servers(changes, properties));
        config.setExceptionOverride(new Broken());
        config.setPoolName("readings");
        config.setMaximumPoolSize(Reading.onPoolOfTheirOwn());
        config.setMinimumIdle(1);
        // the pool is filled on first use, which may never come
        config.setInitializationFailTimeout(-1);
        readings = new HikariDataSource(config);
        durability.watch(this);
    }

    /** Returns the source of a pool's connections. */
    private Servers servers(HikariDataSource pool, Properties told) {
        var properties = new Properties();
        // the driver accepts only strings
        told.forEach((name, value) -> properties.setProperty(name.toString(), value.toString()));
        properties.computeIfPresent("ApplicationName", (_, name) -> name + tag);
        if (pool.getUsername() != null) {
            properties.setProperty("user", pool.getUsername());
        }
        if (pool.getPassword() != null) {
            properties.setProperty("password", pool.getPassword());
        }
        return new Servers(pool.getJdbcUrl(), properties);
    }

    /** Connects to the right one of the servers in a URL. */
    private final class Servers extends AbstractDataSource {

        private final String url;
        private final Properties properties;
        private int longest;

        Servers(String url, Properties properties) {
            this.url = url;
            this.properties = properties;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return durability.connect(url, properties);
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }

        /**
         * Stores the timeout, which only the pool observes. If one login could use up all of it, the second server of a URL would never be
         * tried.
         */
        @Override
        public void setLoginTimeout(int seconds) {
            longest = seconds;
        }

        @Override
        public int getLoginTimeout() {
            return longest;
        }
    }

    /** Detects broken connections by SQLSTATE: class 08, or 57P01 to 57P03 from a server that is shutting down or not ready. */
    private final class Broken implements SQLExceptionOverride {
        @java.lang.Override
        public Override adjudicate(SQLException failure) {
            var state = Objects.requireNonNullElse(failure.getSQLState(), "");
            if ((state.startsWith("08") || state.startsWith("57P0")) && durability.isNews()) {
                connectAnew();
            }
            return Override.CONTINUE_EVICT;
        }
    }

    /** Closes idle connections now and connections in use when they are returned. */
    void connectAnew() {
        Stream.of(changes(), readings)
                .map(HikariDataSource::getHikariPoolMXBean)
                // null before the first connection
                .filter(Objects::nonNull)
                .forEach(HikariPoolMXBean::softEvictConnections);
    }

    private HikariDataSource changes() {
        return (HikariDataSource) Objects.requireNonNull(getTargetDataSource());
    }

    public void countIn(MeterRegistry registry) {
        readings.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
    }

    @Override
    public Connection getConnection() throws SQLException {
        return Reading.isOnPoolOfItsOwn()
                ? readings.getConnection()
                : heeding(changes().getConnection());
    }

    /** Returns a connection on which a commit that ends with a warning fails. */
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
        changes().close();
    }
}
