package berth.broker;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/**
 * The earliest start that several parts have in common.
 *
 * <p>Each part tells its earliest start at or after a time. The latest of these is where all of them are asked again, until
 * they agree: as none of them can start between the time it was asked for and its answer, no common start is passed over.
 */
final class CommonStart {

    /** How often all parts are asked, before the search is given up. */
    static final int ROUNDS = 200;

    private CommonStart() {}

    /**
     * The earliest at or after {@code from}; empty if there is none, or it takes too many rounds.
     *
     * @param parts each answers its earliest start at or after a time, empty if there is none
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
