package berth.batch;

import berth.availability.CapacityProfile;
import berth.time.Slot;
import java.util.Arrays;

/**
 * The PEs that are free at an instant, which moves on, and how many come free or are taken after it: flat arrays, since a plan
 * is made of many small changes of few points. Changes take O(points before them), in one copy: a plan changes what lies near,
 * however far ahead all is known. For one thread.
 *
 * <p>For how long PEs stay free depends on the <em>drops</em> alone, the seconds at which a run begins that is not to begin now:
 * in between PEs only come free. These are few beside the ends of runs, so what is free at each is kept at hand.
 */
final class FreePesAhead {

    /** No start is early enough. */
    static final long NEVER = Long.MAX_VALUE;

    private long now;
    private int free;

    /** When that changes, and by how much, after now. */
    private final Points changes;

    /** When runs begin after now, and how many PEs are free then. */
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

    /** A copy with room for so many more runs. */
    FreePesAhead copy(int runs) {
        return new FreePesAhead(now, free, changes.copy(2 * runs), drops.copy(runs));
    }

    /** The same at a later second, before which nothing changes. Shares the arrays, so that both are only to be copied. */
    FreePesAhead at(long second) {
        return new FreePesAhead(second, free, changes, drops);
    }

    long now() {
        return now;
    }

    int free() {
        return free;
    }

    /** The next second at which the number changes; {@link #NEVER} if none is to come. */
    long nextChange() {
        return changes.next < changes.end ? changes.at[changes.next] : NEVER;
    }

    /** Moves on to that second. Answers whether more are free than before. */
    boolean moveOn() {
        now = changes.at[changes.next];
        int change = changes.value[changes.next++];
        free += change;
        while (drops.next < drops.end && drops.at[drops.next] <= now) {
            drops.next++;
        }
        return change > 0;
    }

    /** Takes PEs from now or a later second on for a time. */
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

    /** The PEs that are free in a second from now on. */
    private int freeAt(long second) {
        int there = free;
        for (int point = changes.next; point < changes.end && changes.at[point] <= second; point++) {
            there += changes.value[point];
        }
        return there;
    }

    /** The earliest start from now on of a run on so many PEs for so long; {@link #NEVER} if it fits nowhere. */
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
     * Finds out the fewest PEs that stay free for each length of time from now on.
     *
     * @param atLeast fewer are of no interest
     * @param longest nor are longer times, in seconds
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

    /** Seconds, ascending, each with a number: the elements from {@code next} up to {@code end}. There is room before them. */
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
