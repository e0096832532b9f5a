package berth.availability;

import java.util.List;

/**
 * Steps that follow one another, and from each the nearest lower ones. Steps are named by their index.
 *
 * @param times when each begins, ascending
 * @param free how high each is
 * @param lowerBefore the last step before it that is lower; -1 if there is none
 * @param lowerAfter the first step after it that is lower; their number if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // not compared, and not changed either
record Skyline(long[] times, int[] free, int[] lowerBefore, int[] lowerAfter) {

    static Skyline of(List<Step> steps) {
        long[] times = steps.stream().mapToLong(Step::start).toArray();
        int[] free = steps.stream().mapToInt(Step::free).toArray();
        return new Skyline(times, free, lowerBefore(free), lowerAfter(free));
    }

    /** Between a step and the nearest lower one none is lower, so that it is found from lower to lower. */
    private static int[] lowerBefore(int[] free) {
        int[] lower = new int[free.length];
        for (int i = 0; i < free.length; i++) {
            lower[i] = i - 1;
            while (lower[i] >= 0 && free[lower[i]] >= free[i]) {
                lower[i] = lower[lower[i]];
            }
        }
        return lower;
    }

    private static int[] lowerAfter(int[] free) {
        int[] lower = new int[free.length];
        for (int i = free.length - 1; i >= 0; i--) {
            lower[i] = i + 1;
            while (lower[i] < free.length && free[lower[i]] >= free[i]) {
                lower[i] = lower[lower[i]];
            }
        }
        return lower;
    }

    int size() {
        return times.length;
    }

    /** The first step from {@code step} on that begins at {@code second} or later; {@link #size} if all begin before. */
    int next(int step, long second) {
        int next = step;
        while (next < times.length && times[next] < second) {
            next++;
        }
        return next;
    }

    /** The first of the lowest steps from {@code step} on, before {@code end}. */
    int lowest(int step, int end) {
        int lowest = step;
        while (lowerAfter[lowest] < end) {
            lowest = lowerAfter[lowest];
        }
        return lowest;
    }
}
