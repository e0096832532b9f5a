package berth.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Holds an advisory lock on the database while the process lives: exclusive for a single instance, shared if there may be several. It keeps
 * a single instance and any other Berth from running on the same database. The {@link Generation} and the epochs determine who may write,
 * so a lost lock means nothing: it is taken again, if necessary after ending an abandoned session of this process.
 */
public final class WriterLock implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WriterLock.class);

    /** "Berth" in ASCII. */
    public static final long KEY = 0x4265727468L;

    /** How long to wait for the server to notice that a killed process has gone. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration RETRY = Duration.ofMillis(200);

    private final JdbcConnectionDetails database;
    private final Generation generation;
    private final Durability durability;
    private final InstanceMode instances;
    private final String name;
    private Connection connection;
    private boolean isGivenUp;

    /**
     * Takes the lock.
     *
     * @throws StartRefused if another process holds it, or the database cannot be reached or is not durable
     */
    public WriterLock(
            JdbcConnectionDetails database, Generation generation, Durability durability, InstanceMode instances) {
        this.database = database;
        this.generation = generation;
        this.durability = durability;
        this.instances = instances;
        this.name = generation.sessionName();
        try {
            connection = connect();
            durability.requireAtStart(connection);
            acquire();
        } catch (Durability.NotThis e) {
            throw new StartRefused(String.valueOf(e.getMessage()), e.remedy());
        } catch (SQLException e) {
            throw new StartRefused(
                    "The database %s cannot be used: %s"
                            .formatted(withoutParameters(database.getJdbcUrl()), e.getMessage()),
                    "Check SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD, and check that"
                            + " the server runs.");
        }
    }

    /** Returns the URL without its parameters, which may contain a password. */
    private static String withoutParameters(String url) {
        return url.replaceAll("\\?.*", "");
    }

    /**
     * Checks that the lock is still held, because the server may have restarted or lost the connection. If another process has become the
     * writer, this one gives up the lock for good. A fixed-rate task has its own thread, so it neither delays others nor is delayed.
     */
    @Scheduled(fixedRateString = "PT5S")
    public void keep() {
        var successor = looked();
        successor.ifPresent(generation::tell);
    }

    /** Returns the process that has become the writer; empty if it is this one or the server does not answer. */
    private synchronized Optional<String> looked() {
        if (isGivenUp) {
            return Optional.empty();
        }
        try {
            boolean isLost = !connection.isValid(5) || isReplaced();
            if (isLost) {
                connection.close();
                connection = connect();
            }
            var successor = generation.successor(connection);
            if (successor.isPresent()) {
                close();
            } else if (isLost) {
                takeAgain();
            }
            return successor;
        } catch (SQLException e) {
            log.warn(
                    "The lock on the database is lost, and the database does not answer; Berth tries again: {}",
                    e.getMessage());
            abandon();
            return Optional.empty();
        }
    }

    /** Whether the server of the connection is no longer the right one. A server may still answer after another one was promoted. */
    private boolean isReplaced() throws SQLException {
        try {
            durability.require(connection);
            return false;
        } catch (Durability.NotThis e) {
            return true;
        }
    }

    private void takeAgain() throws SQLException {
        if (tryLock() || endOwnSessions() && tryLockPatiently()) {
            log.info("The lock on the database was lost with its connection, and Berth holds it again.");
        } else {
            log.warn(
                    "The lock on the database was lost with its connection. It is held by {}, which does not write; Berth"
                            + " tries again.",
                    holder());
            abandon();
        }
    }

    /** Ends own sessions whose connections are lost but which the server still keeps; returns whether there were any. */
    private boolean endOwnSessions() throws SQLException {
        return Sql.finds(
                connection,
                "select pg_terminate_backend(pid) from pg_stat_activity where application_name = ? and pid <> pg_backend_pid()",
                name);
    }

    /** Closes a connection whose lock is uncertain, so that it does not count as holding the lock. */
    private void abandon() {
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("The database connection is broken.", e);
        }
    }

    private Connection connect() throws SQLException {
        var properties = Schema.credentials(database);
        properties.setProperty("ApplicationName", name);
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("socketTimeout", "10");
        // the server releases the lock soon after this machine is gone
        properties.setProperty(
                "options", "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3");
        return durability.connect(database.getJdbcUrl(), properties);
    }

    private void acquire() throws SQLException {
        if (!tryLockPatiently()) {
            var holder = holder();
            connection.close();
            throw new StartRefused(
                    "The database is in use by another Berth (%s).".formatted(holder), instances.wayOn());
        }
    }

    private boolean tryLockPatiently() throws SQLException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!tryLock()) {
            if (System.nanoTime() > end) {
                return false;
            }
            try {
                Thread.sleep(RETRY);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StartRefused("The start was interrupted.", "Start again.");
            }
        }
        return true;
    }

    private boolean tryLock() throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery("select %s(%d)".formatted(instances.lock(), KEY))) {
            return result.next() && result.getBoolean(1);
        }
    }

    private String holder() throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery("select a.application_name, a.client_addr from pg_locks l"
                        + " join pg_stat_activity a using (pid) where l.locktype = 'advisory' and l.granted"
                        + " and a.datname = current_database() and (l.classid::bigint << 32 | l.objid::bigint) = "
                        + KEY)) {
            return result.next()
                    ? Stream.of(result.getString(1), result.getString(2))
                            .filter(part -> part != null && !part.isBlank())
                            .collect(Collectors.joining(" from "))
                    : "unknown process";
        }
    }

    @Override
    public synchronized void close() throws SQLException {
        isGivenUp = true;
        connection.close();
    }
}
