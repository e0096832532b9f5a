package berth.batch;

import java.util.Arrays;

/**
 * The fewest PEs that stay free for each length of time from one instant on; the number falls as the time grows. It is a staircase of
 * usually very few steps, one for each reservation or kept place that takes more PEs than were taken before. Not thread-safe.
 */
final class LeastFree {

    /** The longest time for which the PEs at the same index stay free; unlimited for the last index. */
    private long[] longest = new long[8];

    private int[] pes = new int[8];
    private int last;

    /** Starts again: {@code free} PEs stay free for ever. */
    void begin(int free) {
        last = 0;
        pes[0] = free;
        longest[0] = Long.MAX_VALUE;
    }

    /** Adds a step: after {@code seconds}, only {@code free} PEs stay free, which is fewer than before. */
    void drop(long seconds, int free) {
        longest[last++] = seconds;
        if (last == pes.length) {
            longest = Arrays.copyOf(longest, 2 * last);
            pes = Arrays.copyOf(pes, 2 * last);
        }
        pes[last] = free;
        longest[last] = Long.MAX_VALUE;
    }

    /** Returns how many PEs stay free for ever. */
    int fewest() {
        return pes[last];
    }

    /** Whether {@code wanted} PEs stay free for {@code seconds}. */
    boolean hold(int wanted, long seconds) {
        int step = 0;
        while (wanted <= pes[step]) {
            if (seconds <= longest[step]) {
                return true;
            }
            step++;
        }
        return false;
    }
}
