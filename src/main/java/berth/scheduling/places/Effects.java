package berth.scheduling.places;

import berth.batch.JobId;
import berth.cluster.AvailabilityMethod;
import berth.reservation.ReservationId;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The cost of a decision, or of a place, for others.
 *
 * @param moved the number of reservations that move
 * @param totalShift the sum of the times by which their starts change, in seconds
 * @param largestShift the largest of these times, in seconds
 * @param jobsDelayed the number of waiting batch jobs whose planned start becomes later or can no longer be foreseen; empty if no plans
 *     were made
 */
public record Effects(int moved, long totalShift, long largestShift, OptionalInt jobsDelayed) {

    /** Nobody is affected. */
    public static final Effects NONE = new Effects(0, 0, 0, OptionalInt.of(0));

    /** Returns the effects of both together; the jobs delayed are known only if both are. */
    public Effects and(Effects other) {
        return new Effects(
                moved + other.moved,
                totalShift + other.totalShift,
                Math.max(largestShift, other.largestShift),
                jobsDelayed.isPresent() && other.jobsDelayed.isPresent()
                        ? OptionalInt.of(jobsDelayed.getAsInt() + other.jobsDelayed.getAsInt())
                        : OptionalInt.empty());
    }

    /**
     * Returns the effects of a decision. Makes a plan of the queue before and after the decision if jobs wait.
     *
     * @param before the schedule before the decision
     * @param now seconds since the epoch
     */
    public static Effects of(Decision decision, ClusterSchedule before, long now) {
        return decision instanceof Decision.Accepted(var events, var after) && !events.isEmpty()
                ? of(events, before, OptionalInt.of(delayed(before, after, now)))
                : NONE;
    }

    /**
     * Returns the effects of moves.
     *
     * @param events the events; those without a move do not count
     */
    static Effects of(List<? extends Event> events, ClusterSchedule before, OptionalInt jobsDelayed) {
        Map<ReservationId, Long> shifts = new LinkedHashMap<>();
        for (var event : events) {
            if (event instanceof ReservationEvent(var _, var after, var _, var move, var _, var _)
                    && move.isPresent()) {
                long was = before.find(after.id()).orElseThrow().slot().start();
                shifts.put(after.id(), Math.abs(after.slot().start() - was));
            }
        }
        return new Effects(
                shifts.size(),
                shifts.values().stream().mapToLong(Long::longValue).sum(),
                shifts.values().stream().mapToLong(Long::longValue).max().orElse(0),
                jobsDelayed);
    }

    /** Returns the effects of a place that a search found. Makes a plan of the queue with it if availability is rated by plans. */
    static Effects of(JugglingResult.Found found, ClusterSchedule before, long now) {
        return of(found.moves(), before, delayed(found, before, now));
    }

    private static OptionalInt delayed(JugglingResult.Found found, ClusterSchedule before, long now) {
        if (before.jobs().waiting().isEmpty()) {
            return OptionalInt.of(0);
        }
        if (before.cluster().policy().availability().method() == AvailabilityMethod.LOAD) {
            return OptionalInt.empty();
        }
        var plan = before.moving(found.moves()).plans(now).beside(found.place().parts());
        return OptionalInt.of(plan.delayed(before.plans(now).original()));
    }

    private static int delayed(ClusterSchedule before, ClusterSchedule after, long now) {
        if (before.jobs().waiting().isEmpty()) {
            return 0;
        }
        var then = starts(after, now);
        return (int) starts(before, now).entrySet().stream()
                .filter(job -> then.containsKey(job.getKey()) && then.get(job.getKey()) > job.getValue())
                .count();
    }

    /** Returns the planned starts of the waiting jobs; the last of all times for those that cannot be foreseen. */
    static Map<JobId, Long> starts(ClusterSchedule schedule, long now) {
        var starts = new HashMap<JobId, Long>();
        if (!schedule.jobs().waiting().isEmpty()) {
            var plan = schedule.plans(now).original();
            for (var job : schedule.jobs().waiting()) {
                starts.put(job.id(), plan.start(starts.size()).orElse(Long.MAX_VALUE));
            }
        }
        return starts;
    }
}
