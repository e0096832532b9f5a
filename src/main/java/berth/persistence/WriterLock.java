package berth.persistence;

import berth.desk.WriterReplaced;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * One process writes to a database: this holds an advisory lock there for as long as the process lives. The lock keeps a
 * second Berth from starting; that no commit of a writer thought dead can slip in is the business of the epochs.
 */
final class WriterLock implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WriterLock.class);

    /** "Berth" in ASCII. */
    static final long KEY = 0x4265727468L;

    /** A killed process may be gone for a moment before the server has noticed. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration RETRY = Duration.ofMillis(200);

    private final JdbcConnectionDetails database;
    private final ApplicationEventPublisher events;
    private Connection connection;
    private boolean isGivenUp;

    /** @throws StartRefused if another process holds the lock, or the database is not there or not durable */
    WriterLock(JdbcConnectionDetails database, ApplicationEventPublisher events) {
        this.database = database;
        this.events = events;
        try {
            connection = connect();
            requireDurability();
            acquire();
        } catch (SQLException e) {
            throw new StartRefused(
                    "The database %s cannot be used: %s"
                            .formatted(withoutParameters(database.getJdbcUrl()), e.getMessage()),
                    "Check SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD, and that"
                            + " the server runs.");
        }
    }

    /** They may hold a password. */
    private static String withoutParameters(String url) {
        return url.replaceAll("\\?.*", "");
    }

    /**
     * Sees to it that the lock is still held: the server may have been restarted, or have lost the connection. If it is
     * held by another process by now, that one is the writer, and this one leaves it alone for good.
     */
    @Scheduled(fixedDelayString = "PT5S")
    void keep() {
        takeAgain().ifPresent(rival -> events.publishEvent(new WriterReplaced(rival)));
    }

    /** Who holds the lock instead; empty if this process does, or the server cannot be asked. */
    private synchronized Optional<String> takeAgain() {
        if (isGivenUp) {
            return Optional.empty();
        }
        try {
            if (connection.isValid(5)) {
                return Optional.empty();
            }
            connection.close();
            connection = connect();
            if (tryLock()) {
                log.info("The lock on the database was lost with its connection, and is held again.");
                return Optional.empty();
            }
            var rival = holder();
            close();
            return Optional.of(rival);
        } catch (SQLException e) {
            log.warn("The lock on the database is lost, and the database does not answer: {}", e.getMessage());
            abandon();
            return Optional.empty();
        }
    }

    /** A connection whose lock is in doubt must not pass for one that holds it. */
    private void abandon() {
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("The connection is broken.", e);
        }
    }

    private Connection connect() throws SQLException {
        var properties = Schema.credentials(database);
        properties.setProperty(
                "ApplicationName",
                "berth, process %d on %s".formatted(ProcessHandle.current().pid(), hostName()));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("socketTimeout", "10");
        // the server lets go of the lock soon after this machine is gone
        properties.setProperty(
                "options", "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3");
        return DriverManager.getConnection(database.getJdbcUrl(), properties);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "an unnamed host";
        }
    }

    /** What is acknowledged must be on disk: no setting may say otherwise. */
    private void requireDurability() throws SQLException {
        try (var statement = connection.createStatement();
                var off = statement.executeQuery("select name from pg_settings where setting = 'off'"
                        + " and name in ('fsync', 'synchronous_commit', 'full_page_writes') order by name")) {
            if (off.next()) {
                throw new StartRefused(
                        "PostgreSQL runs with %s = off: an acknowledged reservation could be lost."
                                .formatted(off.getString(1)),
                        "Set it to on in the server's configuration (also for the role and the database) and start"
                                + " Berth again.");
            }
        }
    }

    private void acquire() throws SQLException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!tryLock()) {
            if (System.nanoTime() > end) {
                var holder = holder();
                connection.close();
                throw new StartRefused(
                        "The database is in use by another Berth (%s).".formatted(holder),
                        "Stop that process first, or give this one a database of its own.");
            }
            try {
                Thread.sleep(RETRY);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StartRefused("The start was interrupted.", "Start again.");
            }
        }
    }

    private boolean tryLock() throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery("select pg_try_advisory_lock(" + KEY + ")")) {
            return result.next() && result.getBoolean(1);
        }
    }

    private String holder() throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery("select a.application_name, a.client_addr from pg_locks l"
                        + " join pg_stat_activity a using (pid) where l.locktype = 'advisory' and l.granted"
                        + " and (l.classid::bigint << 32 | l.objid::bigint) = " + KEY)) {
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
