package berth.availability;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One pass over the candidates of paper 004, section 4.3, that finds the PEs free throughout a run from each candidate. The points during
 * the run form a sliding window. For the older points the class keeps the PEs free from each point to the end of the older ones; for the
 * newer points it keeps the PEs free throughout. Each point is thus processed twice, however many candidates there are.
 */
final class PeRectangles {

    private final PeNode root;
    private final Demand demand;
    private final long[] among;
    private final PeWindow points;

    /** The index of the point in force when the run starts; the run lasts up to the point {@code end}. */
    private int first;

    private int end;
    /** The border between older and newer points: {@link #older} holds the free PEs of the points before it, row by row. */
    private int middle;

    private int olderFirst;
    private long[] older = new long[0];
    private final long[] newer;
    /** The PEs free throughout the run. */
    private final long[] free;

    /** The PEs of the last rectangle, which are free from {@link #from} to {@link #to}. */
    private final long[] stretched;

    private long from;
    private long to = Long.MIN_VALUE;

    /**
     * Creates the pass.
     *
     * @param demand a demand whose window is long enough
     * @param among the PEs that may be used
     */
    PeRectangles(PeNode root, Demand demand, PeSet among) {
        this.root = root;
        this.demand = demand;
        this.among = among.words();
        this.points =
                PeWindow.of(root, demand.window().readyTime(), demand.window().deadline() - 1);
        this.newer = this.among.clone();
        this.free = new long[newer.length];
        this.stretched = new long[newer.length];
    }

    /** Returns the feasible candidates, ascending. */
    List<Rectangle> all() {
        var rectangles = new ArrayList<Rectangle>();
        long latest = demand.latestStart();
        for (long start = demand.window().readyTime(); ; start = next(start)) {
            moveTo(start);
            int count = PeNode.count(free, 0, free.length);
            if (count >= demand.pes()) {
                boolean inLast = start + demand.duration() <= to && Arrays.equals(free, stretched);
                if (!inLast) {
                    stretch(start);
                }
                rectangles.add(new Rectangle(start, count, from, to));
            }
            if (start == latest) {
                return rectangles;
            }
        }
    }

    private void stretch(long start) {
        from = Math.max(demand.present(), root.freeSince(free, start, Long.MAX_VALUE));
        to = root.firstWithout(free, start + demand.duration());
        System.arraycopy(free, 0, stretched, 0, free.length);
    }

    /** Returns the next candidate after one that is before the latest start. */
    private long next(long start) {
        long after = start + demand.duration();
        int ending = points.time(end) == after ? end + 1 : end;
        long ended = ending < points.size() ? points.time(ending) - demand.duration() : Long.MAX_VALUE;
        return Math.min(demand.latestStart(), Math.min(points.time(first + 1), ended));
    }

    private void moveTo(long start) {
        for (; end < points.size() && points.time(end) < start + demand.duration(); end++) {
            points.narrow(end, newer);
        }
        for (; first + 1 < points.size() && points.time(first + 1) <= start; first++) {
            if (first == middle) {
                turn();
            }
        }
        System.arraycopy(newer, 0, free, 0, free.length);
        if (first < middle) {
            PeNode.and(free, 0, older, (first - olderFirst) * free.length, free.length);
        }
    }

    /** Makes all points of the window older ones. */
    private void turn() {
        int words = newer.length;
        olderFirst = first;
        middle = end;
        if (older.length < (middle - first) * words) {
            older = new long[2 * (middle - first) * words];
        }
        System.arraycopy(among, 0, newer, 0, words);
        for (int i = middle - 1; i >= first; i--) {
            points.narrow(i, newer);
            System.arraycopy(newer, 0, older, (i - first) * words, words);
        }
        System.arraycopy(among, 0, newer, 0, words);
    }
}
