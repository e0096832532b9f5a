package berth.readings;

import berth.accounts.Account;
import berth.accounts.Role;
import berth.cluster.Cluster;
import berth.cluster.Visibility;
import berth.engine.Desks;
import berth.engine.PlannedStarts;
import berth.engine.QueuePlans;
import berth.engine.Records;
import berth.engine.Records.RecordedEvent;
import berth.engine.Records.Whose;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.readings.Readings.Kind;
import berth.readings.Readings.PlacementBody;
import berth.reservation.ClusterId;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.time.Slot;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The schedule of a cluster as an account may see it: all of it in a time range, or the changes since an earlier response. */
@Component
class Schedules {

    /** The largest number of events to return as changes. After more events, the response has the whole schedule. */
    private static final int MAX_CHANGES = 2_000;

    private final Desks desks;
    private final Records records;
    private final Readings readings;
    private final QueuePlans plans;

    Schedules(Desks desks, Records records, Readings readings, QueuePlans plans) {
        this.desks = desks;
        this.records = records;
        this.readings = readings;
        this.plans = plans;
    }

    /**
     * The reservations, batch jobs and outages of a cluster in a time range.
     *
     * @param placements the placements, by their starts. In a list of changes, all placements of the reservations, jobs and outages that
     *     have changed
     * @param gone the ids of reservations, jobs and outages that no longer have a placement in this time range; only in a list of changes
     * @param sequence the sequence of the last event of the cluster that the response certainly includes
     * @param since the tag of the earlier response to which the changes apply; null if this is the whole schedule
     */
    @Schema(name = "Schedule")
    record ScheduleBody(
            List<PlacementBody> placements,
            List<UUID> gone,
            long sequence,
            @Nullable String since) {}

    /**
     * Checks that an account may see the bookings of other accounts on a cluster.
     *
     * @throws Problem if it may not
     */
    static void requireShown(Cluster cluster, Account account) {
        if (account.role() == Role.CLIENT && !cluster.policy().visibility().shows(Visibility.BUSY)) {
            throw new Problem(
                    ProblemCode.FORBIDDEN,
                    "This cluster does not show clients the bookings of others. Use the map to see what is free.");
        }
    }

    /** Returns the present state, which a response certainly includes if it is read from now on. */
    ScheduleTag.State state(Cluster cluster, Account account) {
        long sequence = records.lastSequence(cluster.id());
        return new ScheduleTag.State(
                sequence, digest(plans.of(cluster.id(), account.name()), cluster, account), cluster.version());
    }

    private static int digest(PlannedStarts planned, Cluster cluster, Account account) {
        return seesNames(cluster, account)
                ? planned.digest()
                : Objects.hash(planned.digest(), account.name().value());
    }

    /**
     * Returns the whole schedule.
     *
     * @param kind the only kind of placements to return; empty for all kinds
     */
    ScheduleBody whole(Cluster cluster, Slot range, Optional<Kind> kind, @Nullable String to, Account account) {
        long sequence = records.lastSequence(cluster.id());
        var placements = readings.placements(cluster.id(), range, Whose.ALL, kind, to, account.name()).stream()
                .map(placement -> seen(placement, cluster, account).naming(cluster.nodes()))
                .toList();
        return new ScheduleBody(placements, List.of(), sequence, null);
    }

    private static PlacementBody seen(PlacementBody placement, Cluster cluster, Account account) {
        return placement.kind() == Kind.OUTAGE || seesNames(cluster, account) || placement.isOf(account.name())
                ? placement
                : placement.unnamed();
    }

    private static boolean seesNames(Cluster cluster, Account account) {
        boolean isToldLess = account.role() == Role.CLIENT || account.isScreen();
        return !isToldLess || cluster.policy().visibility().shows(Visibility.NAMES);
    }

    /**
     * Returns the changes since a tag. Empty if they are not known, or if the account sees no names and so could not match the changes to
     * placements.
     */
    Optional<ScheduleBody> changes(Cluster cluster, Slot range, ScheduleTag since, Account account) {
        var before = since.state();
        // the earlier response may have the names of nodes as they were before
        if (!seesNames(cluster, account) || before.cluster() != cluster.version()) {
            return Optional.empty();
        }
        long sequence = records.lastSequence(cluster.id());
        return eventsSince(cluster.id(), before.sequence()).map(events -> {
            var changed = new LinkedHashMap<UUID, List<PlacementBody>>();
            events.forEach(event -> note(event, range, changed));
            var planned = plans.of(cluster.id(), account.name());
            if (digest(planned, cluster, account) != before.plans()) {
                desks.schedule(cluster.id())
                        .orElseThrow()
                        .jobs()
                        .waiting()
                        .forEach(job -> changed.put(job.id().value(), Readings.planned(job, planned, range)));
            }
            return new ScheduleBody(
                    changed.values().stream()
                            .flatMap(List::stream)
                            .map(placement -> placement.naming(cluster.nodes()))
                            .toList(),
                    changed.entrySet().stream()
                            .filter(entry -> entry.getValue().isEmpty())
                            .map(Map.Entry::getKey)
                            .toList(),
                    sequence,
                    since.text());
        });
    }

    /** Returns all events since a sequence; empty if there are too many, or if events alone do not show all changes. */
    private Optional<List<Event>> eventsSince(ClusterId cluster, long sequence) {
        long last = records.lastSequence(cluster);
        if (sequence > last || last - sequence > MAX_CHANGES) {
            return Optional.empty();
        }
        var events = records.events(cluster, sequence, Whose.ALL, MAX_CHANGES).stream()
                .flatMap(recorded -> recorded instanceof RecordedEvent.Whole(var _, var _, var event)
                        ? Optional.of(event).stream()
                        : Optional.<Event>empty().stream())
                .filter(event -> !(event instanceof ClusterEvent))
                .toList();
        return events.size() >= last - sequence ? Optional.of(events) : Optional.empty();
    }

    private static void note(Event event, Slot range, Map<UUID, List<PlacementBody>> changed) {
        switch (event) {
            case ReservationEvent(var _, var after, var _, var _, var _, var _) ->
                changed.put(after.id().value(), Readings.placements(after, range));
            case JobEvent(var _, var after, var _) ->
                changed.put(after.id().value(), Readings.placements(after, range));
            case OutageEvent(var _, var after, var _) ->
                changed.put(after.id().value(), Readings.placements(after, range));
            case ClusterEvent _, JobsEvent _, DelayEvent _, RequestEvent _, BudgetEvent _ -> {}
        }
    }
}
