package berth.availability;

import java.util.List;

/**
 * A node with {@value #FEWEST_CHILDREN} to {@value #MAX_CHILDREN} children of one depth; a root may have two. Flat arrays hold what a
 * search needs to know to skip a child.
 */
final class Inner extends Node {

    static final int FEWEST_CHILDREN = 8;
    static final int MAX_CHILDREN = 32;

    final Node[] children;
    final long[] firstTimes;
    final int[] lows;
    final int[] highs;

    Inner(Node[] children, long[] firstTimes, int[] lows, int[] highs) {
        super(firstTimes[0], children[children.length - 1].lastFree, lowest(lows), highest(highs));
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
    void sweep(Sweep sweep) {
        for (int i = floor(firstTimes, sweep.first()); i < children.length && !sweep.isOver(); i++) {
            if (isUniform(i, sweep.pes())) {
                sweep.show(firstTimes[i], lows[i] >= sweep.pes());
            } else if (firstTimes[i] <= sweep.first() || !sweep.passes(children[i])) {
                children[i].sweep(sweep);
            }
        }
    }

    @Override
    Runs readRuns(SizeClass size) {
        Runs.Reader reader = new Runs.Reader();
        for (int i = 0; i < children.length; i++) {
            if (isUniform(i, size.least())) {
                reader.show(firstTimes[i], lows[i] >= size.least());
            } else {
                reader.show(firstTimes[i], children[i].runs(size));
            }
        }
        return reader.runs();
    }

    /** Whether {@code pes} PEs are free throughout a child, or nowhere in it. */
    private boolean isUniform(int child, int pes) {
        return lows[child] >= pes || highs[child] < pes;
    }

    @Override
    long firstBelow(int pes, long second) {
        long found = Long.MAX_VALUE;
        for (int i = floor(firstTimes, second); i < children.length && found == Long.MAX_VALUE; i++) {
            found = lows[i] < pes ? children[i].firstBelow(pes, second) : found;
        }
        return found;
    }

    @Override
    long firstWith(int pes, long second) {
        long found = Long.MAX_VALUE;
        for (int i = floor(firstTimes, second); i < children.length && found == Long.MAX_VALUE; i++) {
            found = highs[i] >= pes ? children[i].firstWith(pes, second) : found;
        }
        return found;
    }

    @Override
    long lastBelow(int pes, long second) {
        long found = Long.MIN_VALUE;
        for (int i = floor(firstTimes, second); i >= 0 && found == Long.MIN_VALUE; i--) {
            found = lows[i] < pes ? children[i].lastBelow(pes, second) : found;
        }
        return found;
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
    void change(Change change, long before, long end, Row row) {
        int from = floor(firstTimes, change.from());
        int to = floor(firstTimes, change.to());
        Row changed = new Row(to - from + 5);
        for (int i = from; i <= to; i++) {
            boolean beganBefore = change.from() < firstTimes[i];
            if (beganBefore && endOf(i, end) < change.to()) {
                changed.add(children[i].shifted(change.delta()));
            } else {
                long beforeChild = i == 0 ? before : children[i - 1].lastFree + (beganBefore ? change.delta() : 0);
                children[i].change(change, beforeChild, endOf(i, end), changed);
            }
        }
        if (changed.endsSmall() && to + 1 < children.length) {
            to++;
            changed.add(children[to]);
        } else if (changed.endsSmall() && from > 0) {
            from--;
            changed.addBefore(children[from]);
        }
        replace(from, to + 1, changed, row);
    }

    /** Adds this node to {@code row}, with {@code others} replacing the children from {@code from} to {@code to}, exclusive. */
    private void replace(int from, int to, Row others, Row row) {
        if (others.beginsAt(firstTimes, from, to)) {
            row.add(with(others, from));
        } else {
            Children all = new Children(from + others.size() + children.length - to);
            all.add(this, 0, from);
            all.add(others);
            all.add(this, to, children.length);
            all.addTo(row);
        }
    }

    /** Handles the common case: the first times stay the same and can be shared. */
    private Inner with(Row others, int from) {
        Node[] nodes = children.clone();
        int[] fewest = lows.clone();
        int[] most = highs.clone();
        for (int i = 0; i < others.size(); i++) {
            Node node = others.get(i);
            nodes[from + i] = node;
            fewest[from + i] = node.fewest;
            most[from + i] = node.most;
        }
        return new Inner(nodes, firstTimes, fewest, most);
    }

    /** Returns the last second that a child covers. */
    private long endOf(int child, long end) {
        return child + 1 < children.length ? firstTimes[child + 1] - 1 : end;
    }

    @Override
    void join(Node right, Row row) {
        Inner next = (Inner) right;
        Children joined = new Children(children.length + next.children.length);
        joined.add(this, 0, children.length);
        joined.add(next, 0, next.children.length);
        joined.addTo(row);
    }

    @Override
    int check(boolean isRoot) {
        int size = children.length;
        require(size >= (isRoot ? 2 : FEWEST_CHILDREN) && size <= MAX_CHILDREN, "children of a node", size);
        int levels = 0;
        for (int i = 0; i < size; i++) {
            Node child = children[i];
            int childLevels = child.check(false);
            require(i == 0 || childLevels == levels, "levels of children", levels, childLevels);
            levels = childLevels;
            require(child.firstTime == firstTimes[i], "first time of child", i, firstTimes[i]);
            require(child.fewest == lows[i] && child.most == highs[i], "summary of child", i);
        }
        requireSummary(lows, highs);
        return levels + 1;
    }
}
