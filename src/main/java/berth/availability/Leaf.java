package berth.availability;

import java.util.List;

/** Points in two flat arrays, {@value #FEWEST_POINTS} to {@value #MOST_POINTS} of them; a root may have fewer. */
final class Leaf extends Node {

    static final int FEWEST_POINTS = 32;
    static final int MOST_POINTS = 128;

    final long[] times;
    final int[] free;

    Leaf(long[] times, int[] free) {
        super(times[0], free[free.length - 1], Range.of(free, free));
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
    boolean sweep(Sweep sweep) {
        for (int i = floor(times, sweep.readyTime()); i < times.length; i++) {
            if (!sweep.next(times[i], free[i] >= sweep.pes())) {
                return false;
            }
        }
        return true;
    }

    @Override
    void collect(long first, long last, List<Step> points) {
        for (int i = ceiling(times, first); i < times.length && times[i] <= last; i++) {
            points.add(new Step(times[i], free[i]));
        }
    }

    @Override
    Leaf shifted(int delta) {
        return new Leaf(times, plus(free, delta));
    }

    @Override
    Node[] changed(Change change, int before, long end) {
        Points points = new Points(times.length + 2, before);
        int i = 0;
        if (change.from() >= firstTime) {
            i = ceiling(times, change.from());
            points.addAll(this, 0, i);
            points.add(change.from(), free(change.from()) + change.delta());
            i += pointsAt(i, change.from());
        }
        boolean endsHere = change.to() <= end;
        int until = endsHere ? ceiling(times, change.to()) : times.length;
        for (; i < until; i++) {
            points.add(times[i], free[i] + change.delta());
        }
        if (endsHere) {
            points.add(change.to(), free(change.to()));
            i += pointsAt(i, change.to());
            points.addAll(this, i, times.length);
        }
        return points.leaves();
    }

    /** 1 if the point at {@code index} has this time, else 0. */
    private int pointsAt(int index, long time) {
        return index < times.length && times[index] == time ? 1 : 0;
    }

    @Override
    Node[] join(Node right) {
        Leaf next = (Leaf) right;
        Points points = new Points(times.length + next.times.length, Points.NOTHING_BEFORE);
        points.addAll(this, 0, times.length);
        points.addAll(next, 0, next.times.length);
        return points.leaves();
    }

    @Override
    int check(boolean isRoot) {
        int size = times.length;
        require(size == free.length, "times and values", size, free.length);
        require(size >= (isRoot ? 1 : FEWEST_POINTS) && size <= MOST_POINTS, "points in a leaf", size);
        requireSummary(Range.of(free, free));
        return 1;
    }
}
