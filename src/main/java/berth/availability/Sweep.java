package berth.availability;

import org.jspecify.annotations.Nullable;

/**
 * One pass over a profile in search of the first start of a run. It is shown points, or whole nodes of which it need not
 * know more, from the one that holds at its first second onwards, and carries the present stretch with PEs enough.
 */
final class Sweep {

    /** Stands for a second that there is not. */
    static final long NONE = Runs.NONE;

    private final long first;
    private final long latest;
    private final long duration;
    private final int pes;

    private final @Nullable SizeClass passing;
    private int leavesLeft;

    /** Where the present stretch begins; {@link #NONE} if fewer are free now, or it begins too late. */
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
     * A search for a start in {@code [first, latest]} that stops unless it is over after so many leaves.
     *
     * @param latest a run of {@code duration} from here ends within the range of {@code long}
     */
    static Sweep reading(int leaves, long first, long latest, long duration, int pes) {
        return new Sweep(first, latest, duration, pes, null, leaves);
    }

    /** A search for a start on the least number of PEs in {@code size}, which passes by every node without such a run. */
    static Sweep passing(SizeClass size, long first, long latest, long duration) {
        return new Sweep(first, latest, duration, size.least(), size, Integer.MAX_VALUE);
    }

    long first() {
        return first;
    }

    int pes() {
        return pes;
    }

    /** Whether there is nothing more to show it. */
    boolean isOver() {
        return over;
    }

    /** From {@code second} on there are PEs enough, or not, until the next call says otherwise. Not if it is over. */
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

    /** Passes by a node that it has come to the beginning of, as if shown all of it; false if it must be shown. */
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

    /** Whether it stops before a leaf that begins at {@code second}. */
    boolean stopsAt(long second) {
        if (leavesLeft-- > 0) {
            return false;
        }
        stoppedAt = start == NONE ? Math.max(first, second) : start;
        start = NONE;
        over = true;
        return true;
    }

    /** From where on there may be a start, if it stopped; else {@link #NONE}. */
    long stoppedAt() {
        return stoppedAt;
    }

    /** The start that was found; a run that no point ended goes on for ever. {@link #NONE} if there is none. */
    long start() {
        return start;
    }
}
