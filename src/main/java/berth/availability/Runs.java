package berth.availability;

/**
 * The runs of a node for one number of PEs: the unbroken stretches of points at which as many are free or more. Fewer
 * must be free at one point of the node at least. What is said of the last run does not depend on where the node ends,
 * so that it holds whatever comes after.
 *
 * @param firstBreak the first point with fewer free: where a run that came into the node ends
 * @param longest seconds of the longest run between two points with fewer free, 0 if there is none
 * @param lastStart where the run begins that goes on to the node's end; {@link #NONE} if fewer are free there
 */
record Runs(long firstBreak, long longest, long lastStart) {

    /** Stands for the start of a run that is not. */
    static final long NONE = Long.MAX_VALUE;

    /** Runs being read off, from a node's beginning to its end. */
    static final class Reader {

        private long firstBreak = NONE;
        private long longest;
        private long start = NONE;

        /** From {@code second} on, enough are free, or not. */
        void show(long second, boolean enough) {
            if (firstBreak == NONE) {
                firstBreak = enough ? NONE : second;
            } else if (!enough) {
                end(second);
            } else if (start == NONE) {
                start = second;
            }
        }

        private void end(long second) {
            if (start != NONE) {
                longest = Math.max(longest, length(start, second));
                start = NONE;
            }
        }

        /** From {@code second} on, a node with these runs follows. */
        void show(long second, Runs runs) {
            show(second, second < runs.firstBreak);
            show(runs.firstBreak, false);
            longest = Math.max(longest, runs.longest);
            start = runs.lastStart;
        }

        /** What was seen. */
        Runs runs() {
            return new Runs(firstBreak, longest, start);
        }

        /** {@link Long#MAX_VALUE} if it is longer than that. */
        private static long length(long start, long end) {
            return end - start < 0 ? Long.MAX_VALUE : end - start;
        }
    }
}
