package berth.persistence;

import berth.desk.StorageUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Watches whether the server keeps what it has acknowledged: three settings say so, which anybody may change while it runs. What
 * journals are written with asks them itself, statement by statement ({@link #HOLDS}); other changes are refused as soon as this has
 * seen that one is off. All goes on by itself once they are on again.
 */
final class Durability implements HealthIndicator {

    /** Whether the settings are on, as a condition in SQL. */
    static final String HOLDS =
            "current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on' and current_setting('synchronous_commit') <> 'off'";

    /** Why a statement with that condition did nothing. */
    static final String NOT_NOW =
            "PostgreSQL does not keep what it acknowledges: fsync, full_page_writes or synchronous_commit is off.";

    private static final String OFF = "select name from pg_settings where setting = 'off'"
            + " and name in ('fsync', 'synchronous_commit', 'full_page_writes') order by name";

    private static final Logger log = LoggerFactory.getLogger(Durability.class);

    private final DataSource connections;
    private final AtomicBoolean isLooking = new AtomicBoolean();

    private volatile Seen seen = new Seen.Durable();

    /** What was seen last. */
    private sealed interface Seen {
        /** All settings are on. */
        record Durable() implements Seen {}

        /** One is off. */
        record Off(String setting) implements Seen {}

        /** The server could not be asked. */
        record Unanswered(String why) implements Seen {}
    }

    Durability(DataSource connections) {
        this.connections = connections;
    }

    /** The first of the settings that is off for a connection; empty if none is. */
    static Optional<String> off(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var off = statement.executeQuery(OFF)) {
            return off.next() ? Optional.of(off.getString(1)) : Optional.empty();
        }
    }

    /** What is wrong with a setting that is off. */
    static String problem(String setting) {
        return "PostgreSQL runs with %s = off: an acknowledged reservation could be lost.".formatted(setting);
    }

    /** Looks on a connection of those that write. */
    @Scheduled(fixedRateString = "PT2S")
    void look() {
        // a look that takes its time is not the last of many
        if (isLooking.compareAndSet(false, true)) {
            try {
                see(asked());
            } finally {
                isLooking.set(false);
            }
        }
    }

    private Seen asked() {
        try (var connection = connections.getConnection()) {
            return off(connection).<Seen>map(Seen.Off::new).orElseGet(Seen.Durable::new);
        } catch (SQLException e) {
            return new Seen.Unanswered(String.valueOf(e.getMessage()));
        }
    }

    private void see(Seen now) {
        if (now instanceof Seen.Off(var setting) && !now.equals(seen)) {
            log.error("{} Changes are refused until it is on.", problem(setting));
        } else if (now instanceof Seen.Durable && seen instanceof Seen.Off) {
            log.info("PostgreSQL is durable again.");
        }
        seen = now;
    }

    /** @throws StorageUnavailable if a setting is off: nothing has changed */
    void require() {
        if (seen instanceof Seen.Off(var setting)) {
            throw new StorageUnavailable(new SQLException(problem(setting)));
        }
    }

    @Override
    public Health health() {
        return switch (seen) {
            case Seen.Durable() -> Health.up().build();
            case Seen.Off(var setting) ->
                Health.down()
                        .withDetail(
                                setting,
                                problem(setting)
                                        + " Set it to on in the server's configuration (also for the role and the database) and"
                                        + " have the server read it; Berth goes on by itself.")
                        .build();
            case Seen.Unanswered(var why) ->
                Health.down().withDetail("unanswered", why).build();
        };
    }
}
