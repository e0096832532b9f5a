package berth.scheduling.places;

import berth.batch.JobDelay;
import berth.batch.JobDelay.Reason;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the waiting batch jobs whose planned start has become later because of reservations. A short delay does not count.
 * Changes nothing; never refused.
 *
 * <p>It compares the plans of the queue before and after everything that happened at one instant. If the queue, the cluster or its outages
 * changed at the same instant, nobody could tell which of the changes caused a delay, so none is reported. Makes at most two plans, and none
 * unless jobs wait and a reservation has taken time. In a queue of more than {@value #MAX_WAITING} jobs, where a plan takes too long for the
 * turn of a desk, no delay is reported.
 *
 * @param before the schedule before that instant
 * @param happened the events of that instant
 * @param least the shortest delay that counts, in seconds
 */
public record JobDelays(ClusterSchedule before, List<Event> happened, long least) {

    private static final long MINUTE = 60;

    /** The most delays to report at one instant, from the head of the queue. */
    public static final int MAX = 100;

    /** The most waiting jobs whose plans are compared. */
    static final int MAX_WAITING = 2_000;

    /** Finds delays of a minute or more. */
    public JobDelays(ClusterSchedule before, List<Event> happened) {
        this(before, happened, MINUTE);
    }

    /** Returns an event for each delayed job. */
    public Decision.Accepted decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        int waiting = schedule.jobs().waiting().size();
        var why = reason();
        if (why.isEmpty() || before.jobs().waiting().isEmpty() || waiting == 0 || waiting > MAX_WAITING) {
            return Decision.Accepted.unchanged(schedule);
        }
        var planned = Effects.starts(before, now);
        var plan = schedule.plans(now).original();
        var delays = new ArrayList<Event>();
        int index = 0;
        for (var job : schedule.jobs().waiting()) {
            var start = plan.start(index++);
            long was = planned.getOrDefault(job.id(), Long.MAX_VALUE);
            if (delays.size() < MAX && start.orElse(Long.MAX_VALUE) - was >= least) {
                delays.add(new DelayEvent(job, new JobDelay(was, start, why.get()), now));
            }
        }
        return new Decision.Accepted(List.copyOf(delays), schedule);
    }

    /** Returns the kind of change that comes first; empty if no reservation has taken time, or something else may have delayed jobs. */
    private Optional<Reason> reason() {
        boolean isMixed = happened.stream()
                .anyMatch(event -> event instanceof JobsEvent
                        || event instanceof ClusterEvent
                        || event instanceof OutageEvent
                        || event.type() == Event.Type.JOB_REQUEUED);
        return isMixed
                ? Optional.empty()
                : happened.stream()
                        .flatMap(event -> reason(event.type()).stream())
                        .min(Reason::compareTo);
    }

    private static Optional<Reason> reason(Event.Type type) {
        return switch (type) {
            case HELD, APPROVAL_ASKED, CONFIRMED -> Optional.of(Reason.RESERVED);
            case RENEGOTIATED, ACCEPTED, EXTENDED -> Optional.of(Reason.RENEGOTIATED);
            case MOVED, REPLACED, RESTORED -> Optional.of(Reason.MOVED);
            default -> Optional.empty();
        };
    }
}
