package berth.availability;

import org.jspecify.annotations.Nullable;

/**
 * One pass over a profile that searches for the first start of a run. The tree shows it points from its first second on, or whole nodes
 * that it can skip. The sweep keeps track of the present stretch in which enough PEs are free.
 */
final class Sweep {

    /** Represents a missing second. */
    static final long NONE = Runs.NONE;

    private final long first;
    private final long latest;
    private final long duration;
    private final int pes;

    private final @Nullable SizeClass passing;
    private int leavesLeft;

    /** The start of the present stretch; {@link #NONE} if too few PEs are free now or the stretch begins too late. */
    private long start = NONE;

    private boolean over;
    private long stoppedAt = NONE;

    private Sweep(long first, long latest, long duration, int pes, @Nullable SizeClass passing, int leaves) {
        this.first = first;
        this.latest = latest;
        this.duration = duration;
        this.pes = pes;
        this.passing = passing;
        this.leavesLeft = leaves;
        this.over = latest < first;
    }

    /**
     * Returns a search for a start in {@code [first, latest]} that stops after {@code leaves} leaves if it is not over by then.
     *
     * @param latest the latest start; {@code latest + duration} does not overflow
     */
    static Sweep reading(int leaves, long first, long latest, long duration, int pes) {
        return new Sweep(first, latest, duration, pes, null, leaves);
    }

    /** Returns a search for a start on the least number of PEs in {@code size} that skips every node without a long enough run. */
    static Sweep passing(SizeClass size, long first, long latest, long duration) {
        return new Sweep(first, latest, duration, size.least(), size, Integer.MAX_VALUE);
    }

    long first() {
        return first;
    }

    int pes() {
        return pes;
    }

    /** Whether the search is over. */
    boolean isOver() {
        return over;
    }

    /** Adds a point: from {@code second} on, enough PEs are free or not, until the next call. Must not be called once the sweep is over. */
    void show(long second, boolean enough) {
        if (start != NONE && second >= start + duration) {
            over = true;
            return;
        }
        if (!enough) {
            start = NONE;
        } else if (start == NONE) {
            begin(Math.max(first, second));
        }
        over = start == NONE && second >= latest;
    }

    private void begin(long second) {
        start = second <= latest ? second : NONE;
    }

    /**
     * Skips a node whose beginning the sweep has reached, with the same effect as reading all of it; returns false if the node must be
     * read.
     */
    boolean passes(Node node) {
        if (passing == null) {
            return false;
        }
        Runs runs = node.runs(passing);
        if (runs.longest() >= duration) {
            return false;
        }
        show(node.firstTime, node.firstTime < runs.firstBreak());
        if (!over) {
            show(runs.firstBreak(), false);
        }
        if (!over && runs.lastStart() != NONE) {
            show(runs.lastStart(), true);
        }
        return true;
    }

    /** Whether the search stops before a leaf that begins at {@code second}. */
    boolean stopsAt(long second) {
        if (leavesLeft-- > 0) {
            return false;
        }
        stoppedAt = start == NONE ? Math.max(first, second) : start;
        start = NONE;
        over = true;
        return true;
    }

    /** Returns the first possible start if the search stopped early; otherwise {@link #NONE}. */
    long stoppedAt() {
        return stoppedAt;
    }

    /** Returns the start that was found; {@link #NONE} if there is none. A run that no point ends lasts for ever. */
    long start() {
        return start;
    }
}
