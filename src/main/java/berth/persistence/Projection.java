package berth.persistence;

import berth.cluster.Cluster;
import berth.cluster.Outage;
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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.StatelessSession;

/**
 * What rows of a cluster's journal that follow each other leave in the tables for reading: however much happens to a reservation, a
 * job or a request in them, its row is written once.
 */
final class Projection {

    private final StatelessSession session;
    private final ClusterId cluster;

    private final List<EventRow> events = new ArrayList<>();
    private final Map<ReservationId, Reservation> reservations = new LinkedHashMap<>();
    private final Set<ReservationId> collected = new HashSet<>();
    private final Map<ReservationId, IntakeRequest> requests = new LinkedHashMap<>();
    private final JobChanges jobs;
    private final Map<IdempotencyKeyRow.Id, IdempotencyKeyRow> keys = new LinkedHashMap<>();

    private Projection(StatelessSession session, ClusterId cluster) {
        this.session = session;
        this.cluster = cluster;
        this.jobs = new JobChanges(cluster);
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
            case ReservationEvent(var _, var reservation, var _, var _) ->
                reservations.put(reservation.id(), reservation);
            case ClusterEvent(var changed, var _) -> change(changed);
            case OutageEvent(var _, var outage, var _) -> write(outage);
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

    private void change(Cluster changed) {
        session.insert(ClusterVersionRow.of(changed));
        var row = session.get(ClusterRow.class, changed.id().value());
        row.become(changed);
        session.update(row);
    }

    private void write(Outage outage) {
        if (outage.endedAt().isPresent()) {
            session.update(OutageRow.of(outage));
        } else {
            session.insert(OutageRow.of(outage));
        }
    }

    private void write() {
        var newRequests = new ArrayList<RequestRow>();
        var oldRequests = new ArrayList<RequestRow>();
        requests.forEach(
                (id, request) -> (collected.contains(id) ? newRequests : oldRequests).add(RequestRow.of(request)));
        session.insertMultiple(newRequests);
        session.updateMultiple(oldRequests);
        jobs.write(session);
        session.doWork(connection -> {
            ReservationRow.WRITER.upsert(connection, reservations.values());
            EventRow.WRITER.insert(connection, events);
            // a key that is too old to count may still be there
            IdempotencyKeyRow.WRITER.upsert(connection, keys.values());
        });
    }
}
