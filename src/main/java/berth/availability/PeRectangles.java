package berth.availability;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One pass over the candidates of paper 004, section 4.3, with the PEs free throughout a run from each. The points of
 * the run are a window that slides: of those it had at some time, the PEs free from each point on to the last are kept,
 * of those that came later, the PEs free throughout. A point is thus taken up twice, however many candidates there are.
 */
final class PeRectangles {

    private final PeNode root;
    private final Demand demand;
    private final long[] among;
    private final PeWindow points;

    /** The run goes from the point {@code first}, in force when it starts, up to {@code end}. */
    private int first;

    private int end;
    /** The free PEs from each point before this one on are in {@link #older}, row by row, of those after in newer. */
    private int middle;

    private int olderFirst;
    private long[] older = new long[0];
    private final long[] newer;
    /** Free throughout the run. */
    private final long[] free;

    /** The PEs of the last rectangle, which are free from {@link #from} until {@link #to}. */
    private final long[] stretched;

    private long from;
    private long to = Long.MIN_VALUE;

    /**
     * @param demand whose window is long enough
     * @param among the PEs to look at
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

    /** The feasible candidates, ascending. */
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

    /** The candidate after one before the latest start. */
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

    /** The window's points all become older ones. */
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
