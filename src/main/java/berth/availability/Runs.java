package berth.availability;

/**
 * The runs of a node for one number of PEs: the unbroken sequences of points at which at least that many PEs are free. At least one point
 * of the node must have fewer. The last run is described without the end of the node, so the description stays valid whatever follows.
 *
 * @param firstBreak the first point with fewer free PEs, at which a run that enters the node ends
 * @param longest the length in seconds of the longest run between two points with fewer free PEs; 0 if there is none
 * @param lastStart the start of the run that lasts to the node's end; {@link #NONE} if there is none
 */
record Runs(long firstBreak, long longest, long lastStart) {

    /** Represents a missing start of a run. */
    static final long NONE = Long.MAX_VALUE;

    /** Reads the runs of a node from its beginning to its end. */
    static final class Reader {

        private long firstBreak = NONE;
        private long longest;
        private long start = NONE;

        /** Adds a point: from {@code second} on, enough PEs are free or not. */
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

        /** Adds a node with these runs that begins at {@code second}. */
        void show(long second, Runs runs) {
            show(second, second < runs.firstBreak);
            show(runs.firstBreak, false);
            longest = Math.max(longest, runs.longest);
            start = runs.lastStart;
        }

        /** Returns the runs read so far. */
        Runs runs() {
            return new Runs(firstBreak, longest, start);
        }

        /** Returns the length, or {@link Long#MAX_VALUE} if it overflows. */
        private static long length(long start, long end) {
            return end - start < 0 ? Long.MAX_VALUE : end - start;
        }
    }
}
