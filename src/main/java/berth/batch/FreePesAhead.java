package berth.batch;

import berth.availability.CapacityProfile;
import berth.time.Slot;
import java.util.Arrays;

/**
 * How many PEs are free at a moving point in time, and how many become free or taken after it. It uses flat arrays, because a plan makes
 * many small changes among few points. A change copies the points before it and takes O(points before it). Not thread-safe.
 *
 * <p>How long PEs stay free depends only on the <em>drops</em>: the seconds at which a later run begins. Between two drops the number of
 * free PEs only rises. Drops are few compared with the ends of runs, so the class stores what is free at each.
 */
final class FreePesAhead {

    /** Represents that no start is possible. */
    static final long NEVER = Long.MAX_VALUE;

    private long now;
    private int free;

    /** The later changes of the number of free PEs. */
    private final Points changes;

    /** The later begins of runs, with the number of PEs free then. */
    private final Points drops;

    private FreePesAhead(long now, int free, Points changes, Points drops) {
        this.now = now;
        this.free = free;
        this.changes = changes;
        this.drops = drops;
    }

    static FreePesAhead of(CapacityProfile profile, long now) {
        var steps = profile.steps(new Slot(now, Long.MAX_VALUE));
        var changes = new Points(steps.size());
        var drops = new Points(steps.size());
        for (int step = 1; step < steps.size(); step++) {
            int change = steps.get(step).free() - steps.get(step - 1).free();
            changes.append(steps.get(step).start(), change);
            if (change < 0) {
                drops.append(steps.get(step).start(), steps.get(step).free());
            }
        }
        return new FreePesAhead(now, steps.getFirst().free(), changes, drops);
    }

    /** Returns a copy with room for {@code runs} more runs. */
    FreePesAhead copy(int runs) {
        return new FreePesAhead(now, free, changes.copy(2 * runs), drops.copy(runs));
    }

    /**
     * Returns the same state at a later second, with no changes in between. It shares the arrays, so callers must copy it before changing
     * it.
     */
    FreePesAhead at(long second) {
        return new FreePesAhead(second, free, changes, drops);
    }

    long now() {
        return now;
    }

    int free() {
        return free;
    }

    /** Returns the next second at which the number changes; {@link #NEVER} if there is none. */
    long nextChange() {
        return changes.next < changes.end ? changes.at[changes.next] : NEVER;
    }

    /** Moves to the next change and returns whether more PEs are free than before. */
    boolean moveOn() {
        now = changes.at[changes.next];
        int change = changes.value[changes.next++];
        free += change;
        while (drops.next < drops.end && drops.at[drops.next] <= now) {
            drops.next++;
        }
        return change > 0;
    }

    /** Takes PEs from {@code start}, which is now or later, until {@code until}. */
    void take(long start, long until, int pes) {
        for (int drop = drops.next; drop < drops.end && drops.at[drop] < until; drop++) {
            if (drops.at[drop] >= start) {
                drops.value[drop] -= pes;
            }
        }
        if (start == now) {
            free -= pes;
        } else {
            changes.add(start, -pes);
            drops.set(start, freeAt(start));
        }
        changes.add(until, pes);
    }

    /** Returns the number of PEs free in a second that is not in the past. */
    private int freeAt(long second) {
        int there = free;
        for (int point = changes.next; point < changes.end && changes.at[point] <= second; point++) {
            there += changes.value[point];
        }
        return there;
    }

    /**
     * Returns the earliest start, from now on, of a run on {@code pes} PEs for {@code duration} seconds; {@link #NEVER} if it fits nowhere.
     */
    long earliest(int pes, long duration) {
        int there = free;
        long start = there >= pes ? now : NEVER;
        for (int point = changes.next; point < changes.end; point++) {
            if (start != NEVER && changes.at[point] - start >= duration) {
                return start;
            }
            there += changes.value[point];
            if (there < pes) {
                start = NEVER;
            } else if (start == NEVER) {
                start = changes.at[point];
            }
        }
        return start;
    }

    /**
     * Computes the fewest PEs that stay free for each length of time from now on.
     *
     * @param atLeast lower numbers of PEs are not needed
     * @param longest longer times, in seconds, are not needed
     */
    void measure(LeastFree least, int atLeast, long longest) {
        least.begin(free);
        for (int drop = drops.next; drop < drops.end && drops.at[drop] - now < longest; drop++) {
            if (drops.value[drop] < least.fewest()) {
                least.drop(drops.at[drop] - now, drops.value[drop]);
                if (drops.value[drop] < atLeast) {
                    return;
                }
            }
        }
    }

    /** Seconds with a number each, ascending: the elements from {@code next} to {@code end}, with spare room in front. */
    private static final class Points {

        private long[] at;
        private int[] value;
        private int next;
        private int end;

        private Points(int room) {
            at = new long[room];
            value = new int[room];
        }

        private Points copy(int room) {
            var copy = new Points(room + end - next);
            System.arraycopy(at, next, copy.at, room, end - next);
            System.arraycopy(value, next, copy.value, room, end - next);
            copy.next = room;
            copy.end = room + end - next;
            return copy;
        }

        private void append(long second, int number) {
            at[end] = second;
            value[end++] = number;
        }

        private void add(long second, int number) {
            int point = find(second);
            if (point >= 0) {
                value[point] += number;
            } else {
                insert(-point - 1, second, number);
            }
        }

        private void set(long second, int number) {
            int point = find(second);
            if (point >= 0) {
                value[point] = number;
            } else {
                insert(-point - 1, second, number);
            }
        }

        private int find(long second) {
            return Arrays.binarySearch(at, next, end, second);
        }

        private void insert(int point, long second, int number) {
            System.arraycopy(at, next, at, next - 1, point - next);
            System.arraycopy(value, next, value, next - 1, point - next);
            next--;
            at[point - 1] = second;
            value[point - 1] = number;
        }
    }
}
