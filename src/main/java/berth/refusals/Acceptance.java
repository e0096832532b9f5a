package berth.refusals;

import berth.reservation.RefusalCode;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * How many requests were accepted and refused in a time range.
 *
 * @param refused the number of refused requests of each code, changes of reservations included
 * @param cells the requests for new reservations by their size and lead
 * @param isTruncated whether only the latest were counted
 */
public record Acceptance(Map<RefusalCode, Long> refused, Map<Cell, Count> cells, boolean isTruncated) {

    /** A range of sizes. */
    public enum Size {
        ONE(1, 1),
        TO_4(2, 4),
        TO_8(5, 8),
        TO_16(9, 16),
        TO_32(17, 32),
        TO_64(33, 64),
        MORE(65, Integer.MAX_VALUE);

        private final int least;
        private final int most;

        Size(int least, int most) {
            this.least = least;
            this.most = most;
        }

        /** Returns the smallest number of PEs. */
        public int least() {
            return least;
        }

        /** Returns the largest number of PEs; empty if there is none. */
        public Optional<Integer> most() {
            return this == MORE ? Optional.empty() : Optional.of(most);
        }

        static Size of(int pes) {
            return Arrays.stream(values())
                    .filter(size -> pes <= size.most)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** A range of leads, the times from a request to its earliest start. */
    public enum Lead {
        /** At once. */
        NOW(1),
        /** Less than an hour. */
        UNDER_AN_HOUR(3600),
        /** Less than six hours. */
        UNDER_SIX_HOURS(6 * 3600),
        /** Less than a day. */
        UNDER_A_DAY(24 * 3600),
        /** Less than a week. */
        UNDER_A_WEEK(7 * 24 * 3600),
        /** A week or more. */
        LATER(Long.MAX_VALUE);

        /** The first second beyond the range. */
        private final long end;

        Lead(long end) {
            this.end = end;
        }

        static Lead of(long seconds) {
            return Arrays.stream(values())
                    .filter(lead -> seconds < lead.end)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** The requests of a size and lead. */
    public record Cell(Size size, Lead lead) {

        static Cell of(int pes, long lead) {
            return new Cell(Size.of(pes), Lead.of(lead));
        }
    }

    /** How many requests were accepted and refused. */
    public record Count(long accepted, long refused) {

        public static final Count NONE = new Count(0, 0);

        Count plus(Count other) {
            return new Count(accepted + other.accepted, refused + other.refused);
        }
    }
}
