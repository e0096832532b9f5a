package berth.availability;

/**
 * The search for a run of some seconds on some PEs.
 *
 * <p>Most runs fit near where they may first start, so the first leaves are read point by point. Beyond, nodes are passed
 * by for what is known of the runs in them (see {@link Runs}), which leads straight to the first run on the least number
 * of PEs of the {@link SizeClass} that lasts long enough. If more PEs are wanted than these, this run is read through,
 * and, in vain, left for the next.
 *
 * @param latest the last second at which the run may start; {@code duration} seconds from then are within {@code long}
 * @param duration seconds, at least 1
 * @param pes at least 1
 */
record Search(Node root, long latest, long duration, int pes) {

    /** Stands for a start where there is none. */
    static final long NONE = Sweep.NONE;

    private static final int NEAR_LEAVES = 2;

    /** The earliest start not before {@code first}, or {@link #NONE}. */
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
