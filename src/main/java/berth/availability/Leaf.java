package berth.availability;

import java.util.List;

/** A node with {@value #FEWEST_POINTS} to {@value #MAX_POINTS} points in two flat arrays; a root may have fewer. */
final class Leaf extends Node {

    static final int FEWEST_POINTS = 32;
    static final int MAX_POINTS = 128;

    final long[] times;
    final int[] free;

    Leaf(long[] times, int[] free) {
        this(times, free, lowest(free), highest(free));
    }

    private Leaf(long[] times, int[] free, int fewest, int most) {
        super(times[0], free[free.length - 1], fewest, most);
        this.times = times;
        this.free = free;
    }

    @Override
    boolean isSmall() {
        return times.length < FEWEST_POINTS;
    }

    @Override
    int free(long second) {
        return free[floor(times, second)];
    }

    @Override
    void measure(long first, long last, long end, Range range) {
        for (int i = floor(times, first); i < times.length && times[i] <= last; i++) {
            range.include(free[i], free[i]);
        }
    }

    @Override
    void sweep(Sweep sweep) {
        if (!sweep.stopsAt(firstTime)) {
            for (int i = floor(times, sweep.first()); i < times.length && !sweep.isOver(); i++) {
                sweep.show(times[i], free[i] >= sweep.pes());
            }
        }
    }

    @Override
    long firstBelow(int pes, long second) {
        for (int i = floor(times, second); i < times.length; i++) {
            if (free[i] < pes) {
                return Math.max(times[i], second);
            }
        }
        return Long.MAX_VALUE;
    }

    @Override
    long firstWith(int pes, long second) {
        for (int i = floor(times, second); i < times.length; i++) {
            if (free[i] >= pes) {
                return Math.max(times[i], second);
            }
        }
        return Long.MAX_VALUE;
    }

    @Override
    long lastBelow(int pes, long second) {
        for (int i = floor(times, second); i >= 0; i--) {
            if (free[i] < pes) {
                return times[i];
            }
        }
        return Long.MIN_VALUE;
    }

    @Override
    Runs readRuns(SizeClass size) {
        Runs.Reader reader = new Runs.Reader();
        for (int i = 0; i < times.length; i++) {
            reader.show(times[i], free[i] >= size.least());
        }
        return reader.runs();
    }

    @Override
    void collect(long first, long last, List<Step> points) {
        for (int i = ceiling(times, first); i < times.length && times[i] <= last; i++) {
            points.add(new Step(times[i], free[i]));
        }
    }

    @Override
    Leaf shifted(int delta) {
        return new Leaf(times, plus(free, delta), fewest + delta, most + delta);
    }

    @Override
    void change(Change change, long before, long end, Row row) {
        int delta = change.delta();
        Edge from = change.from() < firstTime ? Edge.none(0) : edge(change.from(), 0, delta, before);
        Edge to = end < change.to() ? Edge.none(times.length) : edge(change.to(), delta, 0, before);
        Points points = new Points(times.length + from.growth() + to.growth());
        points.add(this, 0, from.index(), 0);
        points.add(from);
        points.add(this, from.next(), to.index(), delta);
        points.add(to);
        points.add(this, to.next(), times.length, 0);
        points.addTo(row);
    }

    /**
     * Returns the edge of a change by {@code deltaBefore} before a time and by {@code deltaAfter} from then on. A point remains at that
     * time unless it would repeat the value before it.
     *
     * @param before the value just before the very first point, after the change
     */
    private Edge edge(long time, int deltaBefore, int deltaAfter, long before) {
        int index = ceiling(times, time);
        int points = index < times.length && times[index] == time ? 1 : 0;
        long valueBefore = index > 0 ? free[index - 1] + deltaBefore : before;
        int value = free[index - 1 + points] + deltaAfter;
        return new Edge(index, points, value == valueBefore ? 0 : 1, time, value);
    }

    @Override
    void join(Node right, Row row) {
        Leaf next = (Leaf) right;
        Points points = new Points(times.length + next.times.length);
        points.add(this, 0, times.length, 0);
        points.add(next, 0, next.times.length, 0);
        points.addTo(row);
    }

    @Override
    int check(boolean isRoot) {
        int size = times.length;
        require(size == free.length, "times and values", size, free.length);
        require(size >= (isRoot ? 1 : FEWEST_POINTS) && size <= MAX_POINTS, "points in a leaf", size);
        requireSummary(free, free);
        return 1;
    }
}
