package berth.reservation;

import java.util.Comparator;
import java.util.UUID;

/**
 * What the clock will do next to a reservation, an outage, a batch job or a request that waits. The order is that of execution: by time, and of what falls
 * due at one instant, whatever gives PEs back before any start, so that what is given back can be taken.
 *
 * @param at seconds since the epoch
 * @param what will happen
 * @param subject the id of what it concerns
 */
public record AgendaItem(long at, What what, UUID subject) implements Comparable<AgendaItem> {

    /** What the clock can do. */
    public enum What {
        HOLD_EXPIRES,
        /** It is time to announce that the reservation starts. */
        START_NEARS,
        /** It is time to announce that the run ends. */
        END_NEARS,
        RUN_ENDS,
        /** Nobody has claimed the reservation in time. */
        CLAIM_LAPSES,
        /** The reservation has begun and is not in place on the machine. */
        ENFORCEMENT_LAPSES,
        OUTAGE_ENDS,
        /** A request has waited for room as long as it was to. */
        WAIT_ENDS,
        /** The estimate of a batch job is over. */
        JOB_ENDS,
        /** A part of a run ends, and others follow. */
        PART_ENDS,
        RUN_STARTS,
        /** A run goes on with its next part. */
        PART_STARTS;

        private boolean takesPes() {
            return this == RUN_STARTS || this == PART_STARTS;
        }
    }

    private static final Comparator<AgendaItem> ORDER = Comparator.comparingLong(AgendaItem::at)
            .thenComparing(due -> due.what().takesPes())
            .thenComparing(AgendaItem::subject)
            .thenComparing(AgendaItem::what);

    @Override
    public int compareTo(AgendaItem other) {
        return ORDER.compare(this, other);
    }
}
