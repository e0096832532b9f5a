package berth.availability;

/**
 * The search for a run of a given length on a given number of PEs.
 *
 * <p>Most runs fit close to their earliest start, so the search reads the first leaves point by point. Beyond them it skips nodes by their
 * runs (see {@link Runs}), which leads straight to the first long enough run on the least number of PEs of the {@link SizeClass}. If the
 * request needs more PEs than that, the search reads through this run and, if it does not fit, goes on to the next.
 *
 * @param latest the latest start; {@code latest + duration} does not overflow
 * @param duration the run time in seconds, at least 1
 * @param pes the number of PEs, at least 1
 */
record Search(Node root, long latest, long duration, int pes) {

    /** Represents a missing start. */
    static final long NONE = Sweep.NONE;

    private static final int NEAR_LEAVES = 2;

    /** Returns the earliest start not before {@code first}, or {@link #NONE}. */
    long from(long first) {
        Sweep near = Sweep.reading(NEAR_LEAVES, first, latest, duration, pes);
        root.sweep(near);
        return near.stoppedAt() == NONE ? near.start() : far(near.stoppedAt());
    }

    private long far(long first) {
        SizeClass size = SizeClass.of(pes);
        for (long next = first; ; ) {
            Sweep passing = Sweep.passing(size, next, latest, duration);
            root.sweep(passing);
            long run = passing.start();
            if (run == NONE || pes == size.least()) {
                return run;
            }
            long end = root.firstBelow(size.least(), run + duration);
            Sweep through = Sweep.reading(Integer.MAX_VALUE, run, Math.min(latest, end - duration), duration, pes);
            root.sweep(through);
            if (through.start() != NONE) {
                return through.start();
            }
            next = end;
        }
    }
}
