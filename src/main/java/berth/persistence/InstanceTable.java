package berth.persistence;

import berth.desk.Instance;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * What the database knows of the instances, on a session of its own. Whoever decides holds a lock of that session, which the server lets
 * go of with it: so the end of a process is known at once. All times are the server's. Not safe for use from several threads.
 */
final class InstanceTable implements AutoCloseable {

    /** "Bertd" in ASCII: who decides. */
    private static final long KEY = 0x4265727464L;

    private static final String ENTER = """
            insert into instance (id, name, session, url, version, state, started_at, beat_at)
            values (?, ?, ?, ?, ?, ?, ?, clock_timestamp())
            """;

    private static final String BEAT = "update instance set beat_at = clock_timestamp(), state = ? where id = ?";

    private static final String ALL = """
            select i.id, i.name, i.url, i.version, i.state, i.started_at, i.beat_at, i.session,
                extract(epoch from clock_timestamp() - i.beat_at) as silence,
                exists (
                    select from pg_locks l join pg_stat_activity a on a.pid = l.pid
                    where l.locktype = 'advisory' and l.granted and a.datname = current_database()
                        and (l.classid::bigint << 32 | l.objid::bigint) = %d
                        and right(a.application_name, length(i.session)) = i.session
                ) as is_holder
            from instance i order by i.started_at, i.id
            """.formatted(KEY);

    private static final String END = """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and right(application_name, length(?)) = ?
            """;

    private final Connection connection;

    /**
     * An instance as the database knows it.
     *
     * @param session what its sessions end with
     * @param silence for how long nothing was heard of it
     * @param isHolder whether a session of it holds the lock of who decides
     */
    record Row(Instance instance, String session, Duration silence, boolean isHolder) {}

    private InstanceTable(Connection connection) {
        this.connection = connection;
    }

    /** @param session what the session is called */
    static InstanceTable open(JdbcConnectionDetails database, Durability durability, String session, Duration patience)
            throws SQLException {
        var properties = Schema.credentials(database);
        properties.setProperty("ApplicationName", session);
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("connectTimeout", "2");
        properties.setProperty("socketTimeout", Long.toString(Math.max(1, patience.toSeconds())));
        properties.setProperty(
                "options", "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=2");
        return new InstanceTable(durability.connect(database.getJdbcUrl(), properties));
    }

    /** Adds an instance, as heard of now. */
    void enter(Instance self, String session) throws SQLException {
        Sql.update(
                connection,
                ENTER,
                self.id(),
                self.name(),
                session,
                self.url().toString(),
                self.version(),
                self.state().name(),
                self.startedAt().atOffset(ZoneOffset.UTC));
    }

    /** Says that an instance is alive; {@code false} if it is not there, as one that was declared dead. */
    boolean beat(UUID id, Instance.State state) throws SQLException {
        return Sql.update(connection, BEAT, state.name(), id) == 1;
    }

    /** All that are there, in the order of their starts. */
    List<Row> all() throws SQLException {
        try (var statement = Sql.prepare(connection, ALL);
                var found = statement.executeQuery()) {
            var rows = new ArrayList<Row>();
            while (found.next()) {
                var instance = new Instance(
                        found.getObject("id", UUID.class),
                        found.getString("name"),
                        URI.create(found.getString("url")),
                        found.getString("version"),
                        Instance.State.valueOf(found.getString("state")),
                        found.getObject("started_at", OffsetDateTime.class).toInstant(),
                        found.getObject("beat_at", OffsetDateTime.class).toInstant());
                rows.add(new Row(
                        instance,
                        found.getString("session"),
                        Duration.ofMillis(Math.round(found.getDouble("silence") * 1000)),
                        found.getBoolean("is_holder")));
            }
            return rows;
        }
    }

    /** Who writes in the place of this process; empty while nobody does. */
    Optional<String> successor(Generation generation) throws SQLException {
        return generation.successor(connection);
    }

    /** Takes the lock of who decides, if nobody has it; it may be held here already. */
    boolean tryLock() throws SQLException {
        try (var statement = Sql.prepare(connection, "select pg_try_advisory_lock(?)", KEY);
                var result = statement.executeQuery()) {
            result.next();
            return result.getBoolean(1);
        }
    }

    /** Lets go of the lock, if it is held here. */
    void unlock() throws SQLException {
        Sql.finds(connection, "select pg_advisory_unlock_all()");
    }

    /** Ends all sessions of an instance. */
    void endSessions(String session) throws SQLException {
        Sql.finds(connection, END, session, session);
    }

    /** Removes an instance, which is dead or leaves. */
    void remove(UUID id) throws SQLException {
        Sql.update(connection, "delete from instance where id = ?", id);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
