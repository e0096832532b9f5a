package berth.batch;

import java.util.Arrays;

/**
 * The fewest PEs that stay free for each length of time from one instant on: the longer, the fewer. A staircase, mostly of
 * very few steps: one for each reservation, and each place kept for a job, that takes more than was taken before. For one thread.
 */
final class LeastFree {

    /** The longest time for which the PEs of the same index stay free; of the last one there is no end. */
    private long[] longest = new long[8];

    private int[] pes = new int[8];
    private int last;

    /** So many stay free for ever. */
    void begin(int free) {
        last = 0;
        pes[0] = free;
        longest[0] = Long.MAX_VALUE;
    }

    /** From so many seconds on only so many, which are fewer. */
    void drop(long seconds, int free) {
        longest[last++] = seconds;
        if (last == pes.length) {
            longest = Arrays.copyOf(longest, 2 * last);
            pes = Arrays.copyOf(pes, 2 * last);
        }
        pes[last] = free;
        longest[last] = Long.MAX_VALUE;
    }

    /** So many stay free for ever. */
    int fewest() {
        return pes[last];
    }

    /** Whether so many stay free for so many seconds. */
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
