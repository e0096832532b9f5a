package berth.persistence;

import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.desk.KeyUse;
import berth.desk.Ledger;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.StatelessSession;

/**
 * The ledger in PostgreSQL.
 *
 * <p>Every transaction of a writer begins with an update of its cluster's row that names the sequence and the epoch it
 * expects. The lock on that row, held until the commit, is what makes {@link #settle} certain: its own update waits
 * until a transaction in doubt has ended, and raises the epoch that any other one would need. The answer to a settling
 * may be lost too; since the row names its writer, asking again does no harm.
 */
final class PostgresLedger implements Ledger {

    private final Database database;
    private final InstantSource clock;

    /** This process. */
    private final UUID writer = UUID.randomUUID();

    PostgresLedger(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public List<Cluster> clusters() {
        return database.read(
                session -> session.createSelectionQuery("from ClusterRow order by createdAt, id", ClusterRow.class)
                        .getResultStream()
                        .map(ClusterRow::toCluster)
                        .toList());
    }

    @Override
    public boolean create(Cluster cluster, Optional<KeyUse> key) {
        return database.write(session -> {
            var row = ClusterRow.of(cluster, clock.instant());
            if (session.get(ClusterRow.class, row.id) != null) {
                return false;
            }
            row.writer = writer;
            session.insert(row);
            key.ifPresent(use -> session.upsert(IdempotencyKeyRow.of(use, cluster.id(), 0, clock.instant())));
            return true;
        });
    }

    @Override
    public Recovered takeOver(ClusterId cluster) {
        return database.write(session -> {
            session.createMutationQuery("update ClusterRow set epoch = epoch + 1, writer = :writer where id = :cluster")
                    .setParameter("writer", writer)
                    .setParameter("cluster", cluster.value())
                    .executeUpdate();
            var row = session.get(ClusterRow.class, cluster.value());
            var last = session.get(EventRow.class, new EventRow.Key(cluster.value(), row.sequence));
            long lastEventAt = last == null ? 0 : last.at.getEpochSecond();
            return new Recovered(
                    row.toCluster(),
                    row.epoch,
                    row.sequence,
                    lastEventAt,
                    live(session, cluster),
                    outages(session, cluster),
                    JobChanges.live(session, cluster),
                    requests(session, cluster));
        });
    }

    private static List<Reservation> live(StatelessSession session, ClusterId cluster) {
        return session.createSelectionQuery(
                        "from ReservationRow where cluster = :cluster"
                                + " and fields.state in (HELD, CONFIRMED, RUNNING)",
                        ReservationRow.class)
                .setParameter("cluster", cluster.value())
                .getResultStream()
                .map(ReservationRow::toReservation)
                .toList();
    }

    private static List<IntakeRequest> requests(StatelessSession session, ClusterId cluster) {
        return session.createSelectionQuery(
                        "from RequestRow where cluster = :cluster and state = PENDING", RequestRow.class)
                .setParameter("cluster", cluster.value())
                .getResultStream()
                .map(RequestRow::toRequest)
                .toList();
    }

    private static List<Outage> outages(StatelessSession session, ClusterId cluster) {
        return session.createSelectionQuery(
                        "from OutageRow where cluster = :cluster and endedAt is null", OutageRow.class)
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
        StatelessSession session;
        try {
            session = database.open();
        } catch (RuntimeException e) {
            return new Outcome.Failed(e);
        }
        try {
            return append(session, batch);
        } finally {
            closeQuietly(session);
        }
    }

    /** Up to the commit any failure means that nothing is recorded; from the commit on it means nothing. */
    private Outcome append(StatelessSession session, Batch batch) {
        try {
            session.beginTransaction();
            if (!advance(session, batch)) {
                session.getTransaction().rollback();
                return new Outcome.Fenced();
            }
            write(session, batch);
        } catch (RuntimeException e) {
            rollbackQuietly(session);
            return new Outcome.Failed(e);
        }
        try {
            session.getTransaction().commit();
            return new Outcome.Committed();
        } catch (RuntimeException e) {
            return new Outcome.Unknown(e);
        }
    }

    private static boolean advance(StatelessSession session, Batch batch) {
        return session.createMutationQuery("update ClusterRow set sequence = :last"
                                + " where id = :cluster and sequence = :sequence and epoch = :epoch")
                        .setParameter("last", batch.lastSequence())
                        .setParameter("cluster", batch.cluster().value())
                        .setParameter("sequence", batch.sequence())
                        .setParameter("epoch", batch.epoch())
                        .executeUpdate()
                == 1;
    }

    private void write(StatelessSession session, Batch batch) {
        var events = new ArrayList<EventRow>();
        var created = new HashSet<ReservationId>();
        var after = new LinkedHashMap<ReservationId, Reservation>();
        var jobs = new JobChanges(batch.cluster());
        var collected = new HashSet<ReservationId>();
        var requests = new LinkedHashMap<ReservationId, IntakeRequest>();
        long sequence = batch.sequence();
        for (var event : batch.events()) {
            events.add(EventRow.of(batch.cluster(), ++sequence, event));
            switch (event) {
                case ReservationEvent(var _, var reservation, var _, var _) -> {
                    if (reservation.status().version() == 0) {
                        created.add(reservation.id());
                    }
                    after.put(reservation.id(), reservation);
                }
                case ClusterEvent(var cluster, var _) -> change(session, cluster);
                case OutageEvent(var _, var outage, var _) -> write(session, outage);
                case JobEvent changed -> jobs.add(changed);
                case JobsEvent replaced -> jobs.add(replaced);
                case RequestEvent(var type, var request, var _) -> {
                    if (type == Event.Type.REQUESTED) {
                        collected.add(request.id());
                    }
                    requests.put(request.id(), request);
                }
            }
        }
        var newRequests = new ArrayList<RequestRow>();
        var oldRequests = new ArrayList<RequestRow>();
        requests.forEach(
                (id, request) -> (collected.contains(id) ? newRequests : oldRequests).add(RequestRow.of(request)));
        session.insertMultiple(newRequests);
        session.updateMultiple(oldRequests);
        var inserts = new ArrayList<ReservationRow>();
        var updates = new ArrayList<ReservationRow>();
        after.forEach(
                (id, reservation) -> (created.contains(id) ? inserts : updates).add(ReservationRow.of(reservation)));
        session.insertMultiple(inserts);
        session.updateMultiple(updates);
        jobs.write(session);
        session.insertMultiple(events);
        KeysOfABatch.write(session, batch.cluster(), batch.keys(), clock.instant());
    }

    private static void change(StatelessSession session, Cluster cluster) {
        session.insert(ClusterVersionRow.of(cluster));
        var row = session.get(ClusterRow.class, cluster.id().value());
        row.become(cluster);
        session.update(row);
    }

    private static void write(StatelessSession session, Outage outage) {
        if (outage.endedAt().isPresent()) {
            session.update(OutageRow.of(outage));
        } else {
            session.insert(OutageRow.of(outage));
        }
    }

    @Override
    public Standing settle(ClusterId cluster) {
        return database.write(session -> {
            int raised = session.createMutationQuery(
                            "update ClusterRow set epoch = epoch + 1 where id = :cluster and writer = :writer")
                    .setParameter("cluster", cluster.value())
                    .setParameter("writer", writer)
                    .executeUpdate();
            if (raised == 0) {
                return new Standing.Fenced();
            }
            var row = session.get(ClusterRow.class, cluster.value());
            return new Standing.Writer(row.epoch, row.sequence);
        });
    }

    private static void rollbackQuietly(StatelessSession session) {
        try {
            session.getTransaction().rollback();
        } catch (RuntimeException e) {
            // the connection is gone, and the server rolls back by itself
        }
    }

    private static void closeQuietly(StatelessSession session) {
        try {
            session.close();
        } catch (RuntimeException e) {
            // the outcome is known without it
        }
    }
}
