package berth.database;

import berth.runtime.StorageUnavailable;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.postgresql.util.PSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Monitors whether the server keeps what it has acknowledged. That depends on settings that anybody may change while it runs: whether it
 * writes to its disk, and for how many standbys a commit waits. Statements that write the journal check them themselves ({@link #HOLDS}).
 * Other changes are refused once this class has seen a wrong setting. Everything continues automatically once the settings are right.
 *
 * <p>It also determines the right server. Berth never connects to a standby, to another database, or to a server that does not know that
 * another one was promoted (ADR 37).
 */
public final class Durability implements HealthIndicator, MeterBinder {

    /** An SQL expression for the number of servers whose disks have a commit when it returns. */
    private static final String COPIES = """
            case when current_setting('synchronous_commit') in ('on', 'remote_apply')
                and current_setting('synchronous_standby_names') <> ''
            then 1 + coalesce(
                substring(current_setting('synchronous_standby_names') from '(?i)^\\s*(?:(?:first|any)\\s+)?(\\d+)\\s*\\(')::int,
                1)
            else 1 end""";

    /** An SQL condition that is true if the server is durable; its parameter is {@link #copies}. */
    public static final String HOLDS =
            "current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on' and current_setting('synchronous_commit') <> 'off' and "
                    + COPIES + " >= ?";

    /** The reason why a statement with that condition did nothing. */
    public static final String NOT_NOW =
            "PostgreSQL may lose what it acknowledges: fsync, full_page_writes or synchronous_commit is off, or commits wait for"
                    + " too few standbys.";

    private static final String SETTINGS = "select " + COPIES + """
            , current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),
            pg_has_role('pg_read_all_stats', 'usage'),
            (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')),
            (select min(name) from (values ('fsync'), ('full_page_writes'), ('synchronous_commit')) as setting (name)
             where current_setting(name) = 'off')
            """;

    private static final String WHO =
            "select pg_is_in_recovery(), coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'this machine')";

    /** Asks for the timeline too. A standby writes no timeline, and not every server lets every user query it. */
    private static final String WHO_AND_WHEN = WHO + """
            , system_identifier,
            case when not pg_is_in_recovery() then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end
            from pg_control_system()
            """;

    /** Matches a URL with more than one server. */
    private static final Pattern HOSTS = Pattern.compile("(jdbc:postgresql://)([^/?]*,[^/?]*)(.*)");

    /** How long connections to the previous server may still break after a change of servers: the driver's longest timeout. */
    private static final Duration LATE = Duration.ofSeconds(10);

    /** How long one of several servers may take for a login, in seconds, before the next one is tried. */
    private static final String LOGIN_SECONDS = "2";

    private static final Logger log = LoggerFactory.getLogger(Durability.class);

    private final int copies;
    private final Function<Timeline, Optional<String>> doubt;
    private final ServerLife life;
    private final AtomicBoolean isLooking = new AtomicBoolean();

    private volatile Optional<Connections> watched = Optional.empty();
    private volatile Observation seen = new Observation.Durable(OptionalInt.of(0));
    private volatile Optional<NotThis> refused = Optional.empty();
    private volatile String logged = "";
    private volatile long timeline;

    /** The positions in the URL of the server that was connected to last and of the one to try first. */
    private int last;

    private int first;
    private long movedAt = System.nanoTime() - LATE.toNanos();

    /** The result of the last check. */
    private sealed interface Observation {
        /**
         * All settings are right.
         *
         * @param missing the number of missing standbys for which commits wait; empty if Berth's role cannot see them
         */
        record Durable(OptionalInt missing) implements Observation {}

        /** A setting is wrong. */
        record Off(Flaw flaw) implements Observation {}

        /** No server that answers is the right one. */
        record Wrong(NotThis why) implements Observation {}

        /** No server answered. */
        record Unanswered(String why) implements Observation {}
    }

    /** A setting that could cause acknowledged data to be lost, and what to do. */
    private record Flaw(String setting, String problem, String remedy) {}

    /** The server is not the one to connect to. */
    public static final class NotThis extends SQLException {

        private final String remedy;

        NotThis(String reason, String remedy) {
            super(reason, "08004");
            this.remedy = remedy;
        }

        String remedy() {
            return remedy;
        }
    }

    /**
     * Creates the monitor.
     *
     * @param copies on how many servers' disks an acknowledged commit must be
     * @param doubt returns what speaks against a timeline
     * @param loss is called whenever the server may have lost commits for which nobody waited, see {@link ServerLife}
     * @throws StartRefused if no commit can be on so many
     */
    public Durability(int copies, Function<Timeline, Optional<String>> doubt, Runnable loss) {
        if (copies < 1) {
            throw new StartRefused(
                    "berth.database.copies is %d, but must be at least 1.".formatted(copies),
                    "Set BERTH_DATABASE_COPIES to 1, or to more if commits wait for standbys.");
        }
        this.copies = copies;
        this.doubt = doubt;
        this.life = new ServerLife(loss);
    }

    /** Creates a monitor that ignores such losses. */
    public Durability(int copies, Function<Timeline, Optional<String>> doubt) {
        this(copies, doubt, () -> {});
    }

    /** Returns on how many servers' disks an acknowledged commit must be. */
    public int copies() {
        return copies;
    }

    /** Monitors these connections from now on. */
    void watch(Connections connections) {
        watched = Optional.of(connections);
    }

    /**
     * Connects to the right server of a URL. The driver would take the first server that claims to be writable, which a replaced server may
     * do as well, so this method tries each server separately. It begins with the last right one or, if a connection to that one has
     * broken, with the next.
     *
     * @throws NotThis if a server answers and none is the right one
     */
    public Connection connect(String url, Properties properties) throws SQLException {
        var servers = servers(url);
        var login = new Properties();
        login.putAll(properties);
        if (servers.size() > 1) {
            login.putIfAbsent("loginTimeout", LOGIN_SECONDS);
        }
        int from = first();
        var failures = new ArrayList<SQLException>();
        for (int i = from; i < from + servers.size(); i++) {
            int index = i % servers.size();
            try {
                var connection = connectTo(servers.get(index), login);
                connected(index);
                return connection;
            } catch (SQLException e) {
                failures.add(e);
            }
        }
        refused = failures.stream()
                .filter(NotThis.class::isInstance)
                .map(NotThis.class::cast)
                .findFirst();
        throw refused.<SQLException>map(why -> why).orElseGet(failures::getLast);
    }

    /**
     * Connects likewise, for a session with one purpose.
     *
     * @param session the name of the session on the server
     */
    public Connection connect(JdbcConnectionDetails database, String session) throws SQLException {
        var properties = Schema.credentials(database);
        properties.setProperty("ApplicationName", session);
        return connect(database.getJdbcUrl(), properties);
    }

    private Connection connectTo(String server, Properties properties) throws SQLException {
        var connection = DriverManager.getConnection(server, properties);
        try {
            require(connection);
            life.look(connection);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Returns a URL for each server in a URL. */
    static List<String> servers(String url) {
        var parts = HOSTS.matcher(url);
        return parts.matches()
                ? Stream.of(parts.group(2).split(","))
                        .map(server -> parts.group(1) + server + parts.group(3))
                        .toList()
                : List.of(url);
    }

    private synchronized int first() {
        return first;
    }

    private synchronized void connected(int server) {
        refused = Optional.empty();
        if (server != last) {
            movedAt = System.nanoTime();
        }
        last = server;
        first = server;
    }

    /** Notes that a connection broke, so that another server is tried first; returns whether the break concerns the server in use. */
    synchronized boolean isNews() {
        if (System.nanoTime() - movedAt < LATE.toNanos()) {
            return false;
        }
        first = last + 1;
        return true;
    }

    /**
     * Checks that a server is the right one, as far as is known by now.
     *
     * @throws NotThis if it is not
     */
    public void require(Connection connection) throws SQLException {
        try (var statement = Sql.prepare(connection, WHO_AND_WHEN);
                var found = statement.executeQuery()) {
            found.next();
            requirePrimary(found);
            requireLatest(found.getString(2), new Timeline(found.getString(3), Long.parseLong(found.getString(4), 16)));
        } catch (PSQLException e) {
            if (e.getServerErrorMessage() == null) {
                throw e;
            }
            log.debug("The server does not report its timeline.", e);
            requireNoTimeline(connection);
        }
    }

    private void requirePrimary(ResultSet found) throws SQLException {
        if (found.getBoolean(1)) {
            throw refusal(
                    "PostgreSQL at %s is a standby.".formatted(found.getString(2)),
                    "Name the primary in SPRING_DATASOURCE_URL, or all servers with targetServerType=primary.");
        }
    }

    private void requireLatest(String server, Timeline timeline) throws NotThis {
        var against = doubt.apply(timeline);
        if (against.isPresent()) {
            throw refusal(
                    "PostgreSQL at %s is not the server that Berth used before: %s.".formatted(server, against.get()),
                    "Stop that server, or make it follow the promoted one. If it is the right server nevertheless, stop Berth, "
                            + AcknowledgedPositions.WAY_ON);
        }
        note(timeline);
    }

    /** Checks a server that does not report its timeline. It is accepted only as a primary, and only if one copy is enough. */
    private void requireNoTimeline(Connection connection) throws SQLException {
        try (var statement = Sql.prepare(connection, WHO);
                var found = statement.executeQuery()) {
            found.next();
            requirePrimary(found);
            if (copies > 1) {
                throw refusal(
                        "PostgreSQL at %s does not report its timeline, so Berth cannot notice if another server replaces it."
                                .formatted(found.getString(2)),
                        "Let Berth's role execute pg_control_system, pg_current_wal_lsn and pg_walfile_name, or set"
                                + " BERTH_DATABASE_COPIES to 1.");
            }
        }
    }

    private NotThis refusal(String reason, String remedy) {
        var refusal = new NotThis(reason, remedy);
        if (!reason.equals(logged)) {
            logged = reason;
            log.error("{} Berth does not use that server.", reason);
        }
        return refusal;
    }

    private synchronized void note(Timeline present) {
        long before = timeline;
        timeline = Math.max(before, present.number());
        if (before != 0 && before < timeline) {
            log.warn(
                    "PostgreSQL is on timeline {} now and was on {}: a standby was promoted.",
                    present.number(),
                    before);
            watched.ifPresent(Connections::connectAnew);
        }
    }

    /**
     * Checks that the server keeps what it acknowledges.
     *
     * @throws StartRefused if it does not
     */
    void requireAtStart(Connection connection) throws SQLException {
        if (asked(connection) instanceof Observation.Off(var flaw)) {
            throw new StartRefused(flaw.problem, flaw.remedy + " Then start Berth again.");
        }
    }

    /** Checks the database's durability settings, on a connection from the pool that is used for writes. */
    @Scheduled(fixedRateString = "PT2S")
    public void look() {
        // slow checks must not pile up
        if (isLooking.compareAndSet(false, true)) {
            try {
                watched.ifPresent(connections -> see(asked(connections)));
            } finally {
                isLooking.set(false);
            }
        }
    }

    private Observation asked(Connections connections) {
        try (var connection = connections.getConnection()) {
            return asked(connection);
        } catch (SQLException e) {
            return refused.<Observation>map(Observation.Wrong::new)
                    .orElseGet(() -> new Observation.Unanswered(String.valueOf(e.getMessage())));
        }
    }

    private Observation asked(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(SETTINGS)) {
            found.next();
            var setting = found.getString(6);
            if (setting != null) {
                return new Observation.Off(new Flaw(
                        setting,
                        "PostgreSQL runs with %s = off, so an acknowledged reservation could be lost."
                                .formatted(setting),
                        "Set it to on in the server's configuration (and for the role and the database), and make the server"
                                + " reload its configuration."));
            }
            int present = found.getInt(1);
            var names = found.getString(3);
            if (present < copies) {
                return new Observation.Off(tooFew(present, found.getString(2), names));
            }
            boolean isShown = present == 1 || found.getBoolean(4);
            return new Observation.Durable(
                    isShown ? OptionalInt.of(Math.max(0, present - 1 - found.getInt(5))) : OptionalInt.empty());
        }
    }

    private Flaw tooFew(int present, String commit, String names) {
        boolean isWaiting = commit.equals("on") || commit.equals("remote_apply");
        return new Flaw(
                isWaiting ? "synchronous_standby_names" : "synchronous_commit",
                "PostgreSQL keeps acknowledged commits on %d of the %d servers that berth.database.copies asks for: %s."
                        .formatted(
                                present,
                                copies,
                                isWaiting
                                        ? "synchronous_standby_names is '%s'".formatted(names)
                                        : "synchronous_commit is %s".formatted(commit)),
                isWaiting
                        ? "Set it to wait for %d standbys, as in 'ANY %d (*)', and make the server reload its configuration."
                                .formatted(copies - 1, copies - 1)
                        : "Set it to on or remote_apply in the server's configuration (and for the role and the database), and"
                                + " make the server reload its configuration.");
    }

    private void see(Observation now) {
        var before = seen;
        if (now.equals(before)) {
            return;
        }
        if (now instanceof Observation.Off(var flaw)) {
            log.error("{} Berth rejects all changes until that is corrected.", flaw.problem);
        } else if (now instanceof Observation.Durable && before instanceof Observation.Off) {
            log.info("PostgreSQL is durable again.");
        }
        if (now instanceof Observation.Durable(var missing) && missing.orElse(0) > 0) {
            log.warn("{} Commits wait until enough standbys are back.", tellMissing(missing.getAsInt()));
        }
        seen = now;
    }

    private static String tellMissing(int missing) {
        return "%d of the standbys for which commits wait %s missing.".formatted(missing, missing == 1 ? "is" : "are");
    }

    /**
     * Checks that the last check found no wrong setting.
     *
     * @throws StorageUnavailable if a setting is wrong; nothing has changed
     */
    public void require() {
        if (seen instanceof Observation.Off(var flaw)) {
            throw new StorageUnavailable(new SQLException(flaw.problem));
        }
    }

    @Override
    public Health health() {
        return switch (seen) {
            case Observation.Durable(var missing)
            when missing.isEmpty() ->
                Health.up()
                        .withDetail(
                                "standbys",
                                "Berth's role is not allowed to see the standbys; grant it pg_read_all_stats.")
                        .build();
            case Observation.Durable(var missing)
            when missing.getAsInt() > 0 ->
                Health.up()
                        .withDetail(
                                "standbys",
                                tellMissing(missing.getAsInt())
                                        + " Berth accepts nothing until enough are back, or the server waits for others.")
                        .build();
            case Observation.Durable _ -> Health.up().build();
            case Observation.Off(var flaw) ->
                Health.down()
                        .withDetail(flaw.setting, flaw.problem + " " + flaw.remedy + " Then Berth goes on by itself.")
                        .build();
            case Observation.Wrong(var why) ->
                Health.down()
                        .withDetail("server", why.getMessage() + " " + why.remedy())
                        .build();
            case Observation.Unanswered(var why) ->
                Health.down().withDetail("unanswered", why).build();
        };
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("berth.database.timeline", () -> timeline)
                .description(
                        "Timeline of PostgreSQL. A higher one than before means that a standby was promoted; 0 that the server does"
                                + " not show it.")
                .register(registry);
        Gauge.builder("berth.database.missing", this::missing)
                .description(
                        "Standbys that commits wait for and that are missing. NaN if Berth may not see the standbys or cannot ask.")
                .baseUnit("standbys")
                .register(registry);
    }

    private double missing() {
        return seen instanceof Observation.Durable(var missing) && missing.isPresent()
                ? missing.getAsInt()
                : Double.NaN;
    }
}
