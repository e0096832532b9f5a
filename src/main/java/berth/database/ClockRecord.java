package berth.database;

import static berth.runtime.Timekeeper.TOLERANCE;

import berth.runtime.StorageUnavailable;
import berth.runtime.Timekeeper;
import berth.runtime.Uptime;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Records every ten seconds the time and the machine's uptime, so that the next start can distinguish a service that was down from a clock
 * that is ahead (ADR 36).
 */
public class ClockRecord {

    /** How long a service may have been down if only its own clock shows it. */
    private static final Duration MAX_AWAY = Duration.ofDays(7);

    /** How long BERTH_TIME_ACCEPT is valid. */
    private static final Duration STATEMENT_VALID = Duration.ofHours(1);

    private static final Logger log = LoggerFactory.getLogger(ClockRecord.class);

    private static final String BEAT = """
            insert into heartbeat (at, boot, uptime) values (?, ?, ?)
            on conflict (is_only) do update set at = excluded.at, boot = excluded.boot, uptime = excluded.uptime
            """;

    private final ObjectProvider<Database> database;
    private final Timekeeper timekeeper;
    private final String accepted;

    /**
     * Creates the record.
     *
     * @param database the database, once it can be used
     * @param accepted the correct time, if an operator has stated it; else empty
     */
    public ClockRecord(ObjectProvider<Database> database, Timekeeper timekeeper, String accepted) {
        this.database = database;
        this.timekeeper = timekeeper;
        this.accepted = accepted;
    }

    /**
     * A time and the uptime at that time.
     *
     * @param boot identifies the start of the machine
     */
    record Beat(Instant at, String boot, Duration uptime) {}

    /** The time according to the database, and whether the database is on another machine. */
    public record Witness(Instant at, boolean isElsewhere) {}

    private Beat present() {
        return new Beat(timekeeper.instant(), Uptime.boot(), Uptime.uptime());
    }

    @Scheduled(fixedDelayString = "PT10S")
    public void beat() {
        var beat = present();
        try {
            database.getObject().write(session -> {
                session.createNativeMutationQuery(BEAT)
                        .setParameter(1, beat.at)
                        .setParameter(2, beat.boot)
                        .setParameter(3, beat.uptime.toMillis())
                        .executeUpdate();
                return beat;
            });
        } catch (StorageUnavailable e) {
            log.debug("The time could not be recorded.", e);
        }
    }

    /**
     * Checks that the clock is right.
     *
     * @throws StartRefused if it may be wrong
     */
    public void require(Connection connection) throws SQLException {
        var present = present();
        if (isAccepted(present.at)) {
            return;
        }
        doubt(last(connection), present, witness(connection)).ifPresent(why -> {
            throw new StartRefused(
                    why,
                    "Correct the wrong clock. If this machine's clock is right, start with BERTH_TIME_ACCEPT=%s, which is valid for an hour;"
                                    .formatted(present.at.truncatedTo(ChronoUnit.SECONDS))
                            + " then everything that has fallen due by that time will happen.");
        });
    }

    private boolean isAccepted(Instant now) {
        if (accepted.isBlank()) {
            return false;
        }
        try {
            var since = Duration.between(OffsetDateTime.parse(accepted).toInstant(), now);
            return since.abs().compareTo(STATEMENT_VALID) <= 0;
        } catch (DateTimeException e) {
            throw new StartRefused(
                    "BERTH_TIME_ACCEPT is %s, which is not a time.".formatted(accepted),
                    "Give a time such as 2026-11-23T17:00:00Z, or leave it out.");
        }
    }

    /** Returns why the clock may be wrong; empty if everything known agrees with it. */
    static Optional<String> doubt(Optional<Beat> last, Beat present, Witness witness) {
        var apart = Duration.between(witness.at, present.at);
        if (apart.abs().compareTo(TOLERANCE) > 0) {
            return Optional.of("The clock says %s, but the database's clock says %s."
                    .formatted(words(present.at), words(witness.at)));
        }
        return last.flatMap(beat -> doubt(beat, present, witness.isElsewhere));
    }

    private static Optional<String> doubt(Beat last, Beat present, boolean isAnotherClock) {
        var away = Duration.between(last.at, present.at);
        if (away.compareTo(TOLERANCE.negated()) < 0) {
            return Optional.of("The clock says %s, but Berth was already running at %s."
                    .formatted(words(present.at), words(last.at)));
        }
        var up = present.uptime.minus(last.uptime);
        if (last.boot.equals(present.boot) && !up.isNegative()) {
            return away.minus(up).abs().compareTo(TOLERANCE) > 0
                    ? Optional.of(
                            "The clock says %s, but Berth last ran at %s, and the machine has been up for %s since."
                                    .formatted(words(present.at), words(last.at), Timekeeper.words(up)))
                    : Optional.empty();
        }
        return !isAnotherClock && away.compareTo(MAX_AWAY) > 0
                ? Optional.of(
                        "The clock says %s, but Berth last ran at %s, and nothing else shows that so much time has passed."
                                .formatted(words(present.at), words(last.at)))
                : Optional.empty();
    }

    private static String words(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static Optional<Beat> last(Connection connection) throws SQLException {
        try (var statement = Sql.prepare(connection, "select at, boot, uptime from heartbeat");
                var found = statement.executeQuery()) {
            return found.next()
                    ? Optional.of(new Beat(
                            found.getObject(1, OffsetDateTime.class).toInstant(),
                            found.getString(2),
                            Duration.ofMillis(found.getLong(3))))
                    : Optional.empty();
        }
    }

    public static Witness witness(Connection connection) throws SQLException {
        try (var statement = Sql.prepare(connection, "select clock_timestamp(), host(inet_server_addr())");
                var found = statement.executeQuery()) {
            found.next();
            var at = found.getObject(1, OffsetDateTime.class).toInstant();
            var host = found.getString(2);
            return new Witness(at, isElsewhere(boot(connection), host));
        }
    }

    /** Returns the id of the start of the server's machine, which several containers may share; empty if Berth may not read it. */
    public static Optional<String> boot(Connection connection) throws SQLException {
        try (var statement = Sql.prepare(
                        connection, "select pg_read_file('/proc/sys/kernel/random/boot_id', 0, 100, true)");
                var found = statement.executeQuery()) {
            found.next();
            return Optional.ofNullable(found.getString(1)).map(String::strip);
        } catch (PSQLException e) {
            log.debug("The server does not report how long its machine has been up.", e);
            return Optional.empty();
        }
    }

    /**
     * Whether a server is on another machine.
     *
     * @param boot identifies the start of its machine, if known, because containers of one machine have their own addresses
     * @param host its address; null if the connection does not use the network
     */
    static boolean isElsewhere(Optional<String> boot, @Nullable String host) {
        return boot.map(it -> !it.equals(Uptime.boot())).orElseGet(() -> isElsewhere(host));
    }

    /** Whether an address is not one of this machine's. */
    private static boolean isElsewhere(@Nullable String host) {
        try {
            if (host == null) {
                return false;
            }
            var address = InetAddress.getByName(host);
            return !address.isLoopbackAddress() && NetworkInterface.getByInetAddress(address) == null;
        } catch (UnknownHostException | SocketException e) {
            return false;
        }
    }
}
