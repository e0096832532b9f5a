package berth.store;

import berth.cluster.Cluster;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.hibernate.StatelessSession;

/**
 * Applies consecutive rows of a cluster's journal to the tables for reading. However many events concern a reservation, job or request, its
 * row is written once, whether it exists or not.
 */
public final class Projection {

    /** The most rows of the journal to apply at once. */
    private static final int MAX_ROWS = 256;

    private final StatelessSession session;
    private final ClusterId cluster;

    private final List<EventRow> events = new ArrayList<>();
    private final Map<ReservationId, Reservation> reservations = new LinkedHashMap<>();
    private final Map<ReservationId, IntakeRequest> requests = new LinkedHashMap<>();
    private final JobChanges jobs;
    private final Map<IdempotencyKeyRow.Id, IdempotencyKeyRow> keys = new LinkedHashMap<>();
    private final LedgerEntries ledger;

    private Projection(StatelessSession session, ClusterId cluster) {
        this.session = session;
        this.cluster = cluster;
        this.jobs = new JobChanges(cluster);
        this.ledger = new LedgerEntries(cluster);
    }

    /**
     * The progress of the tables.
     *
     * @param position the sequence of the last applied event
     * @param oldest when the first of the applied rows was recorded; empty if there were none
     */
    public record Step(long position, Optional<Instant> oldest) {}

    /** Applies the next rows of the journal to the tables of a cluster. */
    public static Step follow(StatelessSession session, ClusterId cluster) {
        long position = session.doReturningWork(connection -> position(connection, cluster));
        var rows = session.doReturningWork(connection -> Journal.after(connection, cluster, position, MAX_ROWS));
        if (rows.isEmpty()) {
            return new Step(position, Optional.empty());
        }
        write(session, cluster, rows);
        long next = rows.getLast().last();
        session.doWork(connection -> move(connection, cluster, next));
        return new Step(next, Optional.of(rows.getFirst().at()));
    }

    /** Applies the rest of the journal to the tables of a cluster, in the transaction of the session. */
    public static void followToTheEnd(StatelessSession session, ClusterId cluster) {
        var step = follow(session, cluster);
        while (step.oldest().isPresent()) {
            step = follow(session, cluster);
        }
    }

    /** Returns the position and locks it, because a process that has just lost the cluster may still apply rows that it had read. */
    private static long position(Connection connection, ClusterId cluster) throws SQLException {
        try (var statement =
                connection.prepareStatement("select sequence from projection where cluster = ? for update")) {
            statement.setString(1, cluster.value());
            try (var found = statement.executeQuery()) {
                found.next();
                return found.getLong(1);
            }
        }
    }

    private static void move(Connection connection, ClusterId cluster, long sequence) throws SQLException {
        try (var statement = connection.prepareStatement("update projection set sequence = ? where cluster = ?")) {
            statement.setLong(1, sequence);
            statement.setString(2, cluster.value());
            statement.executeUpdate();
        }
    }

    static void write(StatelessSession session, ClusterId cluster, List<Journal.Row> rows) {
        var projection = new Projection(session, cluster);
        rows.forEach(projection::add);
        projection.write();
    }

    private void add(Journal.Row row) {
        var entry = row.entry();
        if (entry.created() != null) {
            session.insert(ClusterRow.of(entry.created(), row.at()));
        }
        long sequence = row.first();
        for (var line : entry.events()) {
            add(sequence++, line.toEvent());
        }
        for (var used : entry.keys()) {
            var key = IdempotencyKeyRow.of(used.use(), cluster, used.sequence(), row.at());
            keys.put(key.id(), key);
        }
    }

    private void add(long sequence, Event event) {
        events.add(EventRow.of(cluster, sequence, event));
        switch (event) {
            case ReservationEvent about -> {
                reservations.put(about.reservation().id(), about.reservation());
                ledger.add(sequence, about);
            }
            case ClusterEvent(var _, var changed, var _) -> change(changed);
            case OutageEvent(var _, var outage, var _) ->
                replace(session, OutageRow.class, Map.of(outage.id().value(), OutageRow.of(outage)));
            case JobEvent changed -> jobs.add(changed);
            case JobsEvent replaced -> jobs.add(replaced);
            case RequestEvent(var _, var request, var _) -> requests.put(request.id(), request);
            case DelayEvent _, BudgetEvent _ -> {}
        }
    }

    private void change(Cluster changed) {
        session.createMutationQuery("update ClusterRow set content = :content where id = :cluster")
                .setParameter("content", JournalFormat.json(changed))
                .setParameter("cluster", changed.id().value())
                .executeUpdate();
    }

    private void write() {
        replace(
                session,
                RequestRow.class,
                requests.values().stream()
                        .collect(Collectors.toMap(request -> request.id().value(), RequestRow::of)));
        jobs.write(session);
        session.doWork(connection -> {
            ReservationRow.WRITER.upsert(connection, reservations.values());
            EventRow.WRITER.insert(connection, events);
            // an expired key may still be there
            IdempotencyKeyRow.WRITER.upsert(connection, keys.values());
            ledger.write(connection);
        });
    }

    /** Inserts or replaces rows. */
    static void replace(StatelessSession session, Class<?> type, Map<UUID, ?> rows) {
        if (!rows.isEmpty()) {
            delete(session, type, rows.keySet());
            session.insertMultiple(List.copyOf(rows.values()));
        }
    }

    static void delete(StatelessSession session, Class<?> type, Collection<UUID> ids) {
        session.createMutationQuery("delete from %s where id in :ids".formatted(type.getSimpleName()))
                .setParameterList("ids", ids)
                .executeUpdate();
    }
}
