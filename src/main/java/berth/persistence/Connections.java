package berth.persistence;

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
 * The connections to the database, in two pools. One is for what changes something, and for what must be read before that: nobody
 * who only looks takes them away. The other is for who only looks: there the server ends what takes too long, and what nobody waits
 * for any more. On the first it ends nothing, since a commit that waits for a standby would end with a warning then.
 *
 * <p>The first connection that breaks speaks for all: what lies idle is given up with it, instead of being tried one after the other.
 */
final class Connections extends DelegatingDataSource implements AutoCloseable {

    /** The server gives up before the driver does, so that nothing is left at work there. */
    private static final String READING_OPTIONS = " -c statement_timeout=8s -c client_connection_check_interval=2s";

    private static final String READING_SECONDS = "10";

    private final Durability durability;
    private final String tag;
    private final HikariDataSource readings;

    /**
     * @param changes the pool of those that change something; the other one is set up as it is
     * @param tag what the names of all sessions of this process end with
     */
    Connections(HikariDataSource changes, Durability durability, String tag) {
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
        // it is filled when it is wanted, which may be never
        config.setInitializationFailTimeout(-1);
        readings = new HikariDataSource(config);
        durability.watch(this);
    }

    /** Where a pool has its connections from. */
    private Servers servers(HikariDataSource pool, Properties told) {
        var properties = new Properties();
        // the driver knows texts alone
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

    /** The right one of the servers that a URL names. */
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

        /** The pool alone waits no longer than that: a login that ended with it would never come to the second server. */
        @Override
        public void setLoginTimeout(int seconds) {
            longest = seconds;
        }

        @Override
        public int getLoginTimeout() {
            return longest;
        }
    }

    /** Sees connections break: 08 is the class of it, 57P01 to 57P03 a server says that ends or is not there yet. */
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

    /** Closes what lies idle, and what is in use as soon as it is given back. */
    void connectAnew() {
        Stream.of(changes(), readings)
                .map(HikariDataSource::getHikariPoolMXBean)
                // there is none before the first connection
                .filter(Objects::nonNull)
                .forEach(HikariPoolMXBean::softEvictConnections);
    }

    private HikariDataSource changes() {
        return (HikariDataSource) Objects.requireNonNull(getTargetDataSource());
    }

    void countIn(MeterRegistry registry) {
        readings.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
    }

    @Override
    public Connection getConnection() throws SQLException {
        return Reading.isOnPoolOfItsOwn()
                ? readings.getConnection()
                : heeding(changes().getConnection());
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
        changes().close();
    }
}
