package berth.availability;

import java.util.List;

/**
 * Children of one depth, {@value #FEWEST_CHILDREN} to {@value #MOST_CHILDREN} of them; a root may have two. What a
 * search needs to know of each child, so as to pass over it, lies in flat arrays beside.
 */
final class Inner extends Node {

    static final int FEWEST_CHILDREN = 8;
    static final int MOST_CHILDREN = 32;

    final Node[] children;
    final long[] firstTimes;
    final int[] lows;
    final int[] highs;

    Inner(Node[] children, long[] firstTimes, int[] lows, int[] highs) {
        super(firstTimes[0], children[children.length - 1].lastFree, Range.of(lows, highs));
        this.children = children;
        this.firstTimes = firstTimes;
        this.lows = lows;
        this.highs = highs;
    }

    @Override
    boolean isSmall() {
        return children.length < FEWEST_CHILDREN;
    }

    @Override
    int free(long second) {
        return children[floor(firstTimes, second)].free(second);
    }

    @Override
    void measure(long first, long last, long end, Range range) {
        for (int i = floor(firstTimes, first); i < children.length && firstTimes[i] <= last; i++) {
            if (first <= firstTimes[i] && endOf(i, end) <= last) {
                range.include(lows[i], highs[i]);
            } else {
                children[i].measure(first, last, endOf(i, end), range);
            }
        }
    }

    @Override
    boolean sweep(Sweep sweep) {
        for (int i = floor(firstTimes, sweep.readyTime()); i < children.length; i++) {
            boolean enough = lows[i] >= sweep.pes();
            boolean uniform = enough || highs[i] < sweep.pes();
            boolean goesOn = uniform ? sweep.next(firstTimes[i], enough) : children[i].sweep(sweep);
            if (!goesOn) {
                return false;
            }
        }
        return true;
    }

    @Override
    void collect(long first, long last, List<Step> points) {
        for (int i = floor(firstTimes, first); i < children.length && firstTimes[i] <= last; i++) {
            children[i].collect(first, last, points);
        }
    }

    @Override
    Inner shifted(int delta) {
        Node[] shifted = children.clone();
        for (int i = 0; i < shifted.length; i++) {
            shifted[i] = shifted[i].shifted(delta);
        }
        return new Inner(shifted, firstTimes, plus(lows, delta), plus(highs, delta));
    }

    @Override
    Node[] changed(Change change, int before, long end) {
        int from = floor(firstTimes, change.from());
        int to = floor(firstTimes, change.to());
        Children changed = new Children(children.length + 2);
        changed.addAll(this, 0, from);
        for (int i = from; i <= to; i++) {
            boolean beganBefore = change.from() < firstTimes[i];
            if (beganBefore && endOf(i, end) < change.to()) {
                changed.add(children[i].shifted(change.delta()));
            } else {
                int beforeChild = i == 0 ? before : children[i - 1].lastFree + (beganBefore ? change.delta() : 0);
                changed.add(children[i].changed(change, beforeChild, endOf(i, end)));
            }
        }
        if (to + 1 < children.length) {
            changed.add(children[to + 1]); // on its own, since the one before it may be small now
            changed.addAll(this, to + 2, children.length);
        }
        return changed.inners();
    }

    /** The last second that a child answers for. */
    private long endOf(int child, long end) {
        return child + 1 < children.length ? firstTimes[child + 1] - 1 : end;
    }

    @Override
    Node[] join(Node right) {
        Inner next = (Inner) right;
        Children joined = new Children(children.length + next.children.length);
        joined.addAll(this, 0, children.length);
        joined.addAll(next, 0, next.children.length);
        return joined.inners();
    }

    @Override
    int check(boolean isRoot) {
        int size = children.length;
        require(size >= (isRoot ? 2 : FEWEST_CHILDREN) && size <= MOST_CHILDREN, "children of a node", size);
        int levels = 0;
        for (int i = 0; i < size; i++) {
            Node child = children[i];
            int childLevels = child.check(false);
            require(i == 0 || childLevels == levels, "levels of children", levels, childLevels);
            levels = childLevels;
            require(child.firstTime == firstTimes[i], "first time of child", i, firstTimes[i]);
            require(child.fewest == lows[i] && child.most == highs[i], "summary of child", i);
        }
        requireSummary(Range.of(lows, highs));
        return levels + 1;
    }
}
