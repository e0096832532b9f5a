package berth.booking;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/**
 * Finds the earliest common start of several parts.
 *
 * <p>Each part returns its earliest start at or after a time. All are asked again from the latest of these starts until they agree. No part
 * can start between the time it was asked for and its answer, so no common start is missed.
 */
final class CommonStart {

    /** The most rounds before the search ends. */
    static final int ROUNDS = 200;

    private CommonStart() {}

    /**
     * Returns the earliest common start at or after {@code from}; empty if there is none or the search takes too many rounds.
     *
     * @param parts each returns its earliest start at or after a time, or empty if there is none
     */
    static OptionalLong find(long from, List<? extends LongFunction<OptionalLong>> parts) {
        long start = from;
        for (int round = 1; round <= ROUNDS; round++) {
            long latest = start;
            for (var part : parts) {
                var earliest = part.apply(latest);
                if (earliest.isEmpty()) {
                    return OptionalLong.empty();
                }
                latest = Math.max(latest, earliest.getAsLong());
            }
            if (latest == start) {
                return OptionalLong.of(start);
            }
            start = latest;
        }
        return OptionalLong.empty();
    }
}
