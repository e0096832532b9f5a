package berth.store;

import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.database.AcknowledgedPositions;
import berth.database.Database;
import berth.database.Durability;
import berth.database.Generation;
import berth.database.ProjectionProgress;
import berth.database.Sql;
import berth.engine.KeyUse;
import berth.engine.Ledger;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.runtime.StorageUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.hibernate.StatelessSession;
import org.postgresql.util.PSQLException;
import tools.jackson.core.JacksonException;

/**
 * The ledger in PostgreSQL: the journal and the head of each cluster.
 *
 * <p>The statement that appends to the journal also updates the head, if the head has the sequence and the epoch that the writer expects.
 * The lock on the head lasts until the commit and makes {@link #resolve} certain: its own update waits until a statement in doubt has ended,
 * and then raises the epoch, so that no later statement with the old epoch takes effect. The answer to resolving can get lost too; because
 * the head names its writer, repeating it does no harm.
 *
 * <p>A takeover reads the tables for reading, after they have followed the journal to its end.
 */
public final class PostgresLedger implements Ledger {

    /** The most events that the tables for reading may be behind. */
    private static final long MAX_BEHIND = 20_000;

    /** The number of reservations to have in memory as text while a desk begins. */
    private static final int ROWS_AT_A_TIME = 500;

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final String NOT_TAKEN = Durability.NOT_NOW + " Or the answer to an earlier statement arrived late.";

    private static final String SETTLE = "update head set epoch = epoch + 1 where cluster = ? and writer = ? and "
            + Durability.HOLDS + " returning epoch, sequence";

    private final Database database;
    private final DataSource connections;
    private final ProjectionProgress progress;
    private final Projector projector;
    private final InstantSource clock;

    private final Generation generation;
    private final UUID writer;
    private final AcknowledgedPositions acknowledged;
    private final int copies;

    /**
     * Creates the ledger.
     *
     * @param generation the generation of this process
     * @param acknowledged notes what is recorded before anybody is told
     * @param copies on how many servers' disks a commit must be
     */
    public PostgresLedger(
            Database database,
            DataSource connections,
            ProjectionProgress progress,
            Projector projector,
            Generation generation,
            AcknowledgedPositions acknowledged,
            int copies,
            InstantSource clock) {
        this.database = database;
        this.connections = connections;
        this.progress = progress;
        this.projector = projector;
        this.generation = generation;
        this.writer = generation.process();
        this.acknowledged = acknowledged;
        this.copies = copies;
        this.clock = clock;
    }

    @Override
    public List<Cluster> clusters() {
        return database.read(
                session -> session.createNativeQuery("select * from cluster order by created_at, id", ClusterRow.class)
                        .getResultStream()
                        .map(ClusterRow::toCluster)
                        .toList());
    }

    @Override
    public boolean create(Cluster cluster, Optional<KeyUse> key) {
        return database.write(session -> {
            if (!isNew(session, cluster.id())) {
                return false;
            }
            var row = session.doReturningWork(connection -> Journal.create(connection, cluster, key, clock.instant()));
            Projection.write(session, cluster.id(), List.of(row));
            return true;
        });
    }

    private boolean isNew(StatelessSession session, ClusterId cluster) {
        boolean isNew = session.createNativeMutationQuery(
                                "insert into head (cluster, writer, epoch, sequence) values (:cluster, :writer, 0, 0)"
                                        + " on conflict do nothing")
                        .setParameter("cluster", cluster.value())
                        .setParameter("writer", writer)
                        .executeUpdate()
                == 1;
        if (isNew) {
            session.createNativeMutationQuery("insert into projection (cluster, sequence) values (:cluster, 0)")
                    .setParameter("cluster", cluster.value())
                    .executeUpdate();
        }
        return isNew;
    }

    @Override
    public Recovered takeOver(ClusterId cluster) {
        // from here on no other process appends to the journal
        var head = database.write(session -> {
            session.createNativeMutationQuery(
                            "update head set epoch = epoch + 1, writer = :writer where cluster = :cluster")
                    .setParameter("writer", writer)
                    .setParameter("cluster", cluster.value())
                    .executeUpdate();
            return head(session, cluster);
        });
        acknowledged.note(cluster, head.sequence());
        projector.catchUp(cluster);
        return database.write(session -> live(session, cluster, head.epoch(), head.sequence()));
    }

    /** Returns the live items in the tables for reading. These tables must have reached the sequence. */
    static Recovered live(StatelessSession session, ClusterId cluster, long epoch, long sequence) {
        var last = session.get(EventRow.class, new EventRow.Key(cluster.value(), sequence));
        long lastEventAt = last == null ? 0 : last.at.getEpochSecond();
        return new Recovered(
                session.get(ClusterRow.class, cluster.value()).toCluster(),
                epoch,
                sequence,
                lastEventAt,
                reservations(session, cluster),
                outages(session, cluster),
                JobChanges.live(session, cluster),
                requests(session, cluster));
    }

    private static Standing.Writer head(StatelessSession session, ClusterId cluster) {
        var head = session.createNativeQuery(
                        "select epoch, sequence from head where cluster = :cluster", Object[].class)
                .setParameter("cluster", cluster.value())
                .getSingleResult();
        return new Standing.Writer((Long) head[0], (Long) head[1]);
    }

    private static List<Reservation> reservations(StatelessSession session, ClusterId cluster) {
        return session.createNativeQuery(
                        "select content from reservation where cluster = :cluster and (state " + ReservationRow.LIVE
                                + " or open_return)",
                        String.class)
                .setParameter("cluster", cluster.value())
                .setFetchSize(ROWS_AT_A_TIME)
                .getResultStream()
                .map(JournalFormat::reservation)
                .toList();
    }

    private static List<IntakeRequest> requests(StatelessSession session, ClusterId cluster) {
        return session.createNativeQuery(
                        "select * from request where cluster = :cluster and state in ('PENDING', 'WAITING')",
                        RequestRow.class)
                .setParameter("cluster", cluster.value())
                .getResultStream()
                .map(RequestRow::toRequest)
                .toList();
    }

    private static List<Outage> outages(StatelessSession session, ClusterId cluster) {
        return session.createNativeQuery(
                        "select * from outage where cluster = :cluster and ended_at is null", OutageRow.class)
                .setParameter("cluster", cluster.value())
                .getResultStream()
                .map(OutageRow::toOutage)
                .toList();
    }

    @Override
    public void countRefusals(ClusterId cluster, Map<Refusals, Long> refusals) {
        database.write(session -> {
            refusals.forEach((refused, number) -> session.createNativeMutationQuery("""
                            insert into refusal (cluster, hour, code, number) values (:cluster, :hour, :code, :number)
                            on conflict (cluster, hour, code) do update set number = refusal.number + excluded.number
                            """)
                    .setParameter("cluster", cluster.value())
                    .setParameter("hour", Seconds.instant(refused.hour()))
                    .setParameter("code", refused.code().word())
                    .setParameter("number", number)
                    .executeUpdate());
            return refusals.size();
        });
    }

    @Override
    public Outcome append(Batch batch) {
        try {
            progress.awaitRoom(MAX_BEHIND, PATIENCE);
        } catch (StorageUnavailable e) {
            return new Outcome.Failed(e);
        }
        Connection connection;
        try {
            connection = connections.getConnection();
        } catch (SQLException e) {
            return new Outcome.Failed(e);
        }
        try {
            return append(connection, batch);
        } finally {
            closeQuietly(connection);
        }
    }

    private Outcome append(Connection connection, Batch batch) {
        try {
            if (!Journal.append(connection, batch, copies, clock.instant())) {
                return isStanding(connection, batch)
                        ? new Outcome.Failed(new SQLException(NOT_TAKEN))
                        : new Outcome.Fenced();
            }
            acknowledged.note(batch.cluster(), batch.lastSequence());
            progress.recorded(batch.cluster(), batch.lastSequence());
            return new Outcome.Committed();
        } catch (JacksonException e) {
            // nothing was sent
            return new Outcome.Failed(e);
        } catch (SQLException e) {
            return isRefused(e) ? new Outcome.Failed(e) : new Outcome.Unknown(e);
        }
    }

    /**
     * Whether the cluster has the batch's sequence and belongs to this process although the batch was not recorded. Then the server was not
     * durable, or an earlier resolving statement that nobody waits for has raised the epoch late.
     */
    private boolean isStanding(Connection connection, Batch batch) throws SQLException {
        return Sql.finds(
                connection,
                "select 1 from head where cluster = ? and sequence = ? and writer = ?",
                batch.cluster().value(),
                batch.sequence(),
                writer);
    }

    /** Whether the server has stated that it did not execute the statement; any other error may come after its commit. */
    private static boolean isRefused(SQLException failure) {
        return failure instanceof PSQLException refused
                && refused.getServerErrorMessage() != null
                && "ERROR".equals(refused.getServerErrorMessage().getSeverity());
    }

    /**
     * The commit of the resolving statement is synchronous and comes after all earlier commits. Once it is durable, on a standby too if one is
     * required, so are they.
     */
    @Override
    public Standing resolve(ClusterId cluster) {
        try (var connection = connections.getConnection()) {
            var standing = resolve(connection, cluster);
            if (standing instanceof Standing.Writer(var _, long sequence)) {
                acknowledged.note(cluster, sequence);
                progress.recorded(cluster, sequence);
            }
            return standing;
        } catch (SQLException e) {
            throw new StorageUnavailable(e);
        }
    }

    @Override
    public void requireWriter() {
        try (var connection = connections.getConnection()) {
            generation.requireNoSuccessor(connection);
        } catch (SQLException e) {
            throw new StorageUnavailable(e);
        }
    }

    private Standing resolve(Connection connection, ClusterId cluster) throws SQLException {
        try (var statement = Sql.prepare(connection, SETTLE, cluster.value(), writer, copies);
                var head = statement.executeQuery()) {
            if (head.next()) {
                Sql.requireNoWarning(statement.getWarnings());
                return new Standing.Writer(head.getLong(1), head.getLong(2));
            }
        }
        if (Sql.finds(connection, "select 1 from head where cluster = ? and writer = ?", cluster.value(), writer)) {
            throw new SQLException(Durability.NOT_NOW);
        }
        return new Standing.Fenced();
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // the outcome is known without it
        }
    }
}
