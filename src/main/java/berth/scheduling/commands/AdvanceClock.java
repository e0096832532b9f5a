package berth.scheduling.commands;

import berth.availability.PeSet;
import berth.batch.JobId;
import berth.batch.JobState;
import berth.cluster.OutageId;
import berth.reservation.AgendaItem;
import berth.reservation.Enforcement;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.places.Loss;
import berth.scheduling.places.NearestPlaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lets time pass: everything that is due by now happens, in the order of {@link AgendaItem}, each at its due time. Never refused.
 *
 * @param most the most events to decide at once, at least 1; the rest is due in the next schedule
 * @param heardSince since when the service could receive commands, in seconds since the epoch; time limits for clients and agents do not
 *     run out before that
 */
public record AdvanceClock(int most, long heardSince) implements Command {

    /** Creates the command for a service that could receive commands all the time. */
    public AdvanceClock(int most) {
        this(most, Long.MIN_VALUE);
    }

    @Override
    public Decision.Accepted decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        var events = new ArrayList<Event>();
        var next = schedule;
        for (var due = next.nextDue(); events.size() < most && isPast(due, now); due = next.nextDue()) {
            var happened = happens(next, due.orElseThrow(), now);
            events.addAll(happened);
            next = next.with(happened);
        }
        return NearestPlaces.in(new Decision.Accepted(events, next.keepingPlacesFrom(now)), now);
    }

    private static boolean isPast(Optional<AgendaItem> due, long now) {
        return due.isPresent() && due.get().at() <= now;
    }

    /**
     * Returns the events for a due item. One that was due in the past, when the service was unavailable, moves nothing else. A client or
     * agent that had to report then gets its full time from the moment the service was back.
     */
    private List<Event> happens(ClusterSchedule schedule, AgendaItem due, long now) {
        long at = due.at();
        var subject = due.subject();
        return switch (due.what()) {
            case OUTAGE_BEGINS ->
                List.of(OutageEvent.began(schedule.find(new OutageId(subject)).orElseThrow(), at));
            case OUTAGE_ENDS ->
                List.of(OutageEvent.ended(schedule.find(new OutageId(subject)).orElseThrow(), at));
            case JOB_ENDS -> {
                var job = schedule.jobs().find(new JobId(subject)).orElseThrow();
                yield List.of(new JobEvent(Event.Type.JOB_COMPLETED, job.ended(JobState.COMPLETED, at), at));
            }
            case WAIT_ENDS -> {
                var request =
                        schedule.waiting().find(new ReservationId(subject)).orElseThrow();
                yield List.of(new RequestEvent(Event.Type.WAIT_EXPIRED, request.expired(at), at));
            }
            case HOLD_EXPIRES -> List.of(ReservationEvent.became(about(due, schedule), ReservationState.EXPIRED, at));
            case START_NEARS -> List.of(announced(Event.Type.STARTING, about(due, schedule), schedule, at));
            case END_NEARS -> List.of(announced(Event.Type.ENDING, about(due, schedule), schedule, at));
            case RUN_ENDS -> List.of(Ending.of(about(due, schedule), ReservationState.COMPLETED, schedule, at));
            case CLAIM_LAPSES -> List.of(unclaimed(about(due, schedule), schedule, at));
            case ENFORCEMENT_LAPSES -> List.of(unenforced(about(due, schedule), schedule, at));
            case RUN_STARTS ->
                List.of(ReservationEvent.of(Event.Type.STARTED, begun(about(due, schedule), schedule, at)));
            case PART_ENDS ->
                List.of(ReservationEvent.of(
                        Event.Type.PAUSED, about(due, schedule).pauses(at)));
            case PART_STARTS -> resumed(about(due, schedule), at < now ? schedule.whereNobodyMoves() : schedule, at);
            case PES_CHANGE ->
                Loss.ofRun(at < now ? schedule.whereNobodyMoves() : schedule, about(due, schedule), at)
                        .events();
        };
    }

    private static Reservation about(AgendaItem due, ClusterSchedule schedule) {
        return schedule.find(new ReservationId(due.subject())).orElseThrow();
    }

    private ReservationEvent unclaimed(Reservation reservation, ClusterSchedule schedule, long at) {
        return at < heardSince
                ? ReservationEvent.of(
                        Event.Type.CLAIM_POSTPONED,
                        reservation.claimPostponed(
                                heardSince + reservation.claimWithin().orElseThrow(), at))
                : Ending.of(Event.Type.RELEASED, reservation.released(at), schedule);
    }

    private ReservationEvent unenforced(Reservation reservation, ClusterSchedule schedule, long at) {
        return at < heardSince
                ? ReservationEvent.of(
                        Event.Type.ENFORCEMENT_POSTPONED,
                        reservation.enforcementPostponed(heardSince + Enforcement.PATIENCE, at))
                : Unenforced.of(reservation, schedule, at);
    }

    private static Reservation begun(Reservation reservation, ClusterSchedule schedule, long at) {
        return reservation.begins(
                nextPes(schedule, reservation), schedule.cluster().policy().notice(), at);
    }

    /** Returns the events of a run whose next part begins, perhaps without PEs that it lost. */
    private static List<Event> resumed(Reservation paused, ClusterSchedule schedule, long at) {
        var begun = paused.resumes(
                nextPes(schedule, paused), schedule.cluster().policy().notice(), at);
        var losses = paused.placement().losses();
        if (losses.lacks().isEmpty()) {
            return List.of(ReservationEvent.of(Event.Type.RESUMED, begun));
        }
        var lacks = schedule.without(paused.id())
                .occupancy()
                .lacking(
                        begun.placement(),
                        schedule.cluster().pes(),
                        begun.parts().size(),
                        at);
        var left = begun.with(begun.placement().with(losses.at(at, lacks)));
        var resumed = ReservationEvent.of(Event.Type.RESUMED, left);
        var events = new ArrayList<Event>(List.of(resumed));
        events.addAll(Loss.ofRun(schedule.with(resumed), left, at).events());
        return events;
    }

    private static ReservationEvent announced(
            Event.Type type, Reservation reservation, ClusterSchedule schedule, long at) {
        var leads = schedule.leads().of(reservation.origin().owner());
        return ReservationEvent.of(type, reservation.announced(leads, at));
    }

    private static PeSet nextPes(ClusterSchedule schedule, Reservation reservation) {
        return schedule.freeForJobs()
                .started(reservation.parts().get(reservation.placement().begun()));
    }
}
