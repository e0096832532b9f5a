package berth.reservation;

import java.util.Comparator;
import java.util.UUID;

/**
 * The next action that the clock causes for a reservation, an outage, a batch job or a waiting request. Items are ordered as they are
 * executed: by time, and at one time those that free PEs before any that needs some, so that it can use the freed PEs.
 *
 * @param at seconds since the epoch
 * @param what the action
 * @param subject the id of the reservation, outage, job or request
 */
public record AgendaItem(long at, What what, UUID subject) implements Comparable<AgendaItem> {

    /** An action of the clock. */
    public enum What {
        /** The time to confirm a hold, or to approve a reservation, is over. */
        HOLD_EXPIRES,
        /** The start of the reservation must be announced. */
        START_NEARS,
        /** The end of the run must be announced. */
        END_NEARS,
        RUN_ENDS,
        /** The time to claim the reservation is over. */
        CLAIM_LAPSES,
        /** The time to put the reservation in place on the machine is over. */
        ENFORCEMENT_LAPSES,
        OUTAGE_ENDS,
        OUTAGE_BEGINS,
        /** The time that a request waits for room is over. */
        WAIT_ENDS,
        /** The estimate of a batch job is over. */
        JOB_ENDS,
        /** A part of a run ends and others follow. */
        PART_ENDS,
        /** A run loses PEs in an outage, or gets them back. */
        PES_CHANGE,
        RUN_STARTS,
        /** The next part of a run starts. */
        PART_STARTS;

        /** Returns when it happens among the actions of one time: those that free PEs first, those that need them last. */
        private int turn() {
            return switch (this) {
                case RUN_STARTS, PART_STARTS -> 3;
                case PES_CHANGE -> 2;
                default -> 1;
            };
        }
    }

    private static final Comparator<AgendaItem> ORDER = Comparator.comparingLong(AgendaItem::at)
            .thenComparingInt(due -> due.what().turn())
            .thenComparing(AgendaItem::subject)
            .thenComparing(AgendaItem::what);

    @Override
    public int compareTo(AgendaItem other) {
        return ORDER.compare(this, other);
    }
}
