package berth.instances.store;

import berth.database.Generation;
import berth.database.Schema;
import berth.database.Sql;
import berth.database.Takeover;
import berth.instances.Instance;
import berth.instances.Roll;
import berth.runtime.StorageUnavailable;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The session of one instance on a PostgreSQL that several share. */
public final class PostgresRoll implements Roll {

    private static final Logger log = LoggerFactory.getLogger(PostgresRoll.class);

    /** "Bertd" in ASCII; the lock of the active instance. */
    private static final long KEY = 0x4265727464L;

    private static final String ENTER = """
            insert into instance (id, name, session, url, version, state, started_at, beat_at)
            values (?, ?, ?, ?, ?, ?, ?, clock_timestamp())
            """;

    private static final String BEAT = "update instance set beat_at = clock_timestamp(), state = ? where id = ?";

    private static final String ALL = """
            select i.id, i.name, i.url, i.version, i.state, i.started_at, i.beat_at,
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
            select pg_terminate_backend(a.pid) from pg_stat_activity a, instance i
            where i.id = ? and a.datname = current_database()
                and right(a.application_name, length(i.session)) = i.session
            """;

    private final Connection connection;
    private final Generation generation;
    private final Takeover takeover;

    private PostgresRoll(Connection connection, Generation generation, Takeover takeover) {
        this.connection = connection;
        this.generation = generation;
        this.takeover = takeover;
    }

    /**
     * Opens a session of this process.
     *
     * @param patience the timeout for an answer
     * @throws StorageUnavailable if the server does not answer
     */
    public static PostgresRoll open(Takeover takeover, Duration patience) {
        var database = takeover.database();
        var generation = takeover.generation();
        var properties = Schema.credentials(database);
        properties.setProperty("ApplicationName", generation.sessionName());
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("connectTimeout", "2");
        properties.setProperty("socketTimeout", Long.toString(Math.max(1, patience.toSeconds())));
        properties.setProperty(
                "options", "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=2");
        return new PostgresRoll(
                answered(() -> takeover.durability().connect(database.getJdbcUrl(), properties)), generation, takeover);
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask() throws SQLException;
    }

    private static <T> T answered(Question<T> question) {
        try {
            return question.ask();
        } catch (SQLException e) {
            throw new StorageUnavailable(e);
        }
    }

    @Override
    public void enter(Instance self) {
        answered(() -> Sql.update(
                connection,
                ENTER,
                self.id(),
                self.name(),
                generation.tag(),
                self.url().toString(),
                self.version(),
                self.state().name(),
                self.startedAt().atOffset(ZoneOffset.UTC)));
    }

    @Override
    public boolean beat(UUID self, Instance.State state) {
        return answered(() -> Sql.update(connection, BEAT, state.name(), self)) == 1;
    }

    @Override
    public List<Row> all() {
        return answered(() -> {
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
                    var silence = Duration.ofMillis(Math.round(found.getDouble("silence") * 1000));
                    rows.add(new Row(instance, silence, found.getBoolean("is_holder")));
                }
                return rows;
            }
        });
    }

    @Override
    public Optional<String> successor() {
        return answered(() -> generation.successor(connection));
    }

    @Override
    public Optional<String> obstacle() {
        return answered(() -> takeover.obstacle(connection));
    }

    @Override
    public boolean tryLock() {
        return answered(() -> {
            try (var statement = Sql.prepare(connection, "select pg_try_advisory_lock(?)", KEY);
                    var result = statement.executeQuery()) {
                result.next();
                return result.getBoolean(1);
            }
        });
    }

    @Override
    public void unlock() {
        answered(() -> Sql.finds(connection, "select pg_advisory_unlock_all()"));
    }

    @Override
    public void endSessions(UUID instance) {
        answered(() -> Sql.finds(connection, END, instance));
    }

    @Override
    public void remove(UUID instance) {
        answered(() -> Sql.update(connection, "delete from instance where id = ?", instance));
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("The database session is broken.", e);
        }
    }
}
