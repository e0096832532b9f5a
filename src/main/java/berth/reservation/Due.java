package berth.reservation;

import java.util.Comparator;
import java.util.UUID;

/**
 * What the clock will do next to a reservation or an outage. The order is that of execution: by time, and of what falls
 * due at one instant, whatever gives PEs back before any start, so that what is given back can be taken.
 *
 * @param at seconds since the epoch
 * @param what will happen
 * @param subject the id of what it concerns
 */
public record Due(long at, What what, UUID subject) implements Comparable<Due> {

    /** What the clock can do. */
    public enum What {
        HOLD_EXPIRES,
        RUN_ENDS,
        /** Nobody has claimed the reservation in time. */
        CLAIM_LAPSES,
        OUTAGE_ENDS,
        RUN_STARTS
    }

    private static final Comparator<Due> ORDER = Comparator.comparingLong(Due::at)
            .thenComparing(due -> due.what() == What.RUN_STARTS)
            .thenComparing(Due::subject)
            .thenComparing(Due::what);

    @Override
    public int compareTo(Due other) {
        return ORDER.compare(this, other);
    }
}
