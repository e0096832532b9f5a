package berth.scheduling;

import berth.reservation.Due;
import java.util.ArrayList;
import java.util.Optional;

/**
 * Lets time pass: what has fallen due by now happens, in the order of {@link Due}, each at the time it was due. Never
 * refused.
 *
 * @param most events to decide at once, at least 1; what remains is due in the next schedule
 * @param heardSince since when commands could be given, seconds since the epoch: nobody's claim lapses before that
 */
public record AdvanceClock(int most, long heardSince) implements Command {

    /** Time passes in which commands could be given all along. */
    public AdvanceClock(int most) {
        this(most, Long.MIN_VALUE);
    }

    @Override
    public Decision.Accepted decide(ClusterSchedule schedule, long now) {
        var events = new ArrayList<Event>();
        var next = schedule;
        for (var due = next.nextDue(); events.size() < most && isPast(due, now); due = next.nextDue()) {
            var happened = next.happens(due.orElseThrow(), heardSince);
            events.add(happened);
            next = next.with(happened);
        }
        return new Decision.Accepted(events, next);
    }

    private static boolean isPast(Optional<Due> due, long now) {
        return due.isPresent() && due.get().at() <= now;
    }
}
