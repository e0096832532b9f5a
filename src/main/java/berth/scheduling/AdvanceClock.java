package berth.scheduling;

import berth.availability.PeSet;
import berth.batch.JobId;
import berth.batch.JobState;
import berth.cluster.OutageId;
import berth.reservation.AgendaItem;
import berth.reservation.AgendaItem.What;
import berth.reservation.Enforcement;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import java.util.ArrayList;
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
    public Decision.Accepted decide(ClusterSchedule schedule, long now) {
        var events = new ArrayList<Event>();
        var next = schedule;
        for (var due = next.nextDue(); events.size() < most && isPast(due, now); due = next.nextDue()) {
            var happened = happens(next, due.orElseThrow());
            events.add(happened);
            next = next.with(happened);
        }
        return new Decision.Accepted(events, next.keepingPlacesFrom(now));
    }

    private static boolean isPast(Optional<AgendaItem> due, long now) {
        return due.isPresent() && due.get().at() <= now;
    }

    /**
     * Returns the event for a due item. A client or agent that had to report while the service was unavailable gets its full time from the
     * moment the service was back.
     */
    private Event happens(ClusterSchedule schedule, AgendaItem due) {
        if (due.what() == What.OUTAGE_BEGINS) {
            return OutageEvent.began(schedule.find(new OutageId(due.subject())).orElseThrow(), due.at());
        }
        if (due.what() == What.OUTAGE_ENDS) {
            return OutageEvent.ended(schedule.find(new OutageId(due.subject())).orElseThrow(), due.at());
        }
        if (due.what() == What.JOB_ENDS) {
            var job = schedule.jobs().find(new JobId(due.subject())).orElseThrow();
            return new JobEvent(Event.Type.JOB_COMPLETED, job.ended(JobState.COMPLETED, due.at()), due.at());
        }
        if (due.what() == What.WAIT_ENDS) {
            var request =
                    schedule.waiting().find(new ReservationId(due.subject())).orElseThrow();
            return new RequestEvent(Event.Type.WAIT_EXPIRED, request.expired(due.at()), due.at());
        }
        var reservation = schedule.find(new ReservationId(due.subject())).orElseThrow();
        return switch (due.what()) {
            case HOLD_EXPIRES -> ReservationEvent.became(reservation, ReservationState.EXPIRED, due.at());
            case START_NEARS -> announced(Event.Type.STARTING, reservation, schedule, due);
            case END_NEARS -> announced(Event.Type.ENDING, reservation, schedule, due);
            case RUN_ENDS -> ReservationEvent.became(reservation, ReservationState.COMPLETED, due.at());
            case CLAIM_LAPSES ->
                due.at() < heardSince
                        ? ReservationEvent.of(
                                Event.Type.CLAIM_POSTPONED,
                                reservation.claimPostponed(
                                        heardSince + reservation.claimWithin().orElseThrow(), due.at()))
                        : ReservationEvent.of(Event.Type.RELEASED, reservation.released(due.at()));
            case ENFORCEMENT_LAPSES ->
                due.at() < heardSince
                        ? ReservationEvent.of(
                                Event.Type.ENFORCEMENT_POSTPONED,
                                reservation.enforcementPostponed(heardSince + Enforcement.PATIENCE, due.at()))
                        : Unenforced.of(reservation, schedule, due.at());
            case RUN_STARTS ->
                ReservationEvent.of(
                        Event.Type.STARTED,
                        reservation.begins(
                                nextPes(schedule, reservation),
                                schedule.cluster().policy().notice(),
                                due.at()));
            case PART_ENDS -> ReservationEvent.of(Event.Type.PAUSED, reservation.pauses(due.at()));
            case PART_STARTS, OUTAGE_BEGINS, OUTAGE_ENDS, JOB_ENDS, WAIT_ENDS ->
                ReservationEvent.of(
                        Event.Type.RESUMED,
                        reservation.resumes(
                                nextPes(schedule, reservation),
                                schedule.cluster().policy().notice(),
                                due.at()));
        };
    }

    private static ReservationEvent announced(
            Event.Type type, Reservation reservation, ClusterSchedule schedule, AgendaItem due) {
        var leads = schedule.leads().of(reservation.origin().owner());
        return ReservationEvent.of(type, reservation.announced(leads, due.at()));
    }

    private static PeSet nextPes(ClusterSchedule schedule, Reservation reservation) {
        return schedule.freeForJobs()
                .started(reservation.parts().get(reservation.placement().begun()));
    }
}
