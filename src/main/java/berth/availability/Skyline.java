package berth.availability;

import java.util.List;

/**
 * Consecutive steps, with the nearest lower step on both sides of each. Steps are referred to by index.
 *
 * @param times the starts of the steps, ascending
 * @param free the heights of the steps
 * @param lowerBefore the index of the last lower step before each; -1 if there is none
 * @param lowerAfter the index of the first lower step after each; the number of steps if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // not compared, and not changed either
record Skyline(long[] times, int[] free, int[] lowerBefore, int[] lowerAfter) {

    static Skyline of(List<Step> steps) {
        long[] times = steps.stream().mapToLong(Step::start).toArray();
        int[] free = steps.stream().mapToInt(Step::free).toArray();
        return new Skyline(times, free, lowerBefore(free), lowerAfter(free));
    }

    /**
     * Returns the nearest lower step before each one. The search goes from lower step to lower step, because no step between a step and its
     * nearest lower one is lower.
     */
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

    /** Returns the first step from {@code step} on that begins at {@code second} or later; {@link #size} if there is none. */
    int next(int step, long second) {
        int next = step;
        while (next < times.length && times[next] < second) {
            next++;
        }
        return next;
    }

    /** Returns the first of the lowest steps from {@code step} to {@code end}, exclusive. */
    int lowest(int step, int end) {
        int lowest = step;
        while (lowerAfter[lowest] < end) {
            lowest = lowerAfter[lowest];
        }
        return lowest;
    }
}
