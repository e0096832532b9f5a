package berth.batch;

import berth.availability.CapacityProfile;
import berth.availability.Step;
import berth.time.Slot;
import java.util.Arrays;
import java.util.List;

/**
 * The PEs that are free at an instant, which moves on, and how many come free or are taken after it: flat arrays, since a plan
 * is made of many small changes of few points. Changes take O(points), in one copy; all else does as well. For one thread.
 */
final class FreeAhead {

    /** No start is early enough. */
    static final long NEVER = Long.MAX_VALUE;

    private long now;
    private int free;

    /** When that changes, ascending and after now: the elements from {@code next} up to {@code end}. */
    private long[] at;

    /** By how much it changes then. */
    private int[] more;

    private int next;
    private int end;

    private FreeAhead(long now, int free, long[] at, int[] more, int next, int end) {
        this.now = now;
        this.free = free;
        this.at = at;
        this.more = more;
        this.next = next;
        this.end = end;
    }

    static FreeAhead of(CapacityProfile profile, long now) {
        List<Step> steps = profile.steps(new Slot(now, Long.MAX_VALUE));
        int points = steps.size() - 1;
        var at = new long[points];
        var more = new int[points];
        for (int point = 0; point < points; point++) {
            at[point] = steps.get(point + 1).start();
            more[point] = steps.get(point + 1).free() - steps.get(point).free();
        }
        return new FreeAhead(now, steps.getFirst().free(), at, more, 0, points);
    }

    /** A copy with room for so many more changes. */
    FreeAhead copy(int room) {
        int points = end - next;
        var atThen = new long[points + room];
        var moreThen = new int[points + room];
        System.arraycopy(at, next, atThen, 0, points);
        System.arraycopy(more, next, moreThen, 0, points);
        return new FreeAhead(now, free, atThen, moreThen, 0, points);
    }

    /** The same at a later second, before which nothing changes. Shares the arrays, so that both are only to be copied. */
    FreeAhead at(long second) {
        return new FreeAhead(second, free, at, more, next, end);
    }

    long now() {
        return now;
    }

    int free() {
        return free;
    }

    /** The next second at which the number changes; {@link #NEVER} if none is to come. */
    long nextChange() {
        return next < end ? at[next] : NEVER;
    }

    /** Moves on to that second. Answers whether more are free than before. */
    boolean moveOn() {
        now = at[next];
        int change = more[next++];
        free += change;
        return change > 0;
    }

    /** Takes PEs from now or a later second on for a time. */
    void take(long start, long until, int pes) {
        change(start, -pes);
        change(until, pes);
    }

    private void change(long second, int pes) {
        if (second <= now) {
            free += pes;
            return;
        }
        int point = Arrays.binarySearch(at, next, end, second);
        if (point >= 0) {
            more[point] += pes;
        } else {
            insert(-point - 1, second, pes);
        }
    }

    private void insert(int point, long second, int pes) {
        if (end == at.length) {
            at = Arrays.copyOf(at, 2 * end + 2);
            more = Arrays.copyOf(more, at.length);
        }
        System.arraycopy(at, point, at, point + 1, end - point);
        System.arraycopy(more, point, more, point + 1, end - point);
        at[point] = second;
        more[point] = pes;
        end++;
    }

    /** The earliest start from now on of a run on so many PEs for so long; {@link #NEVER} if it fits nowhere. */
    long earliest(int pes, long duration) {
        int there = free;
        long start = there >= pes ? now : NEVER;
        for (int point = next; point < end; point++) {
            if (start != NEVER && at[point] - start >= duration) {
                return start;
            }
            there += more[point];
            if (there < pes) {
                start = NEVER;
            } else if (start == NEVER) {
                start = at[point];
            }
        }
        return start;
    }

    /** Finds out the fewest PEs that stay free for each length of time from now on, where these are at least {@code atLeast}. */
    void measure(LeastFree least, int atLeast) {
        least.begin(free);
        int there = free;
        for (int point = next; point < end; point++) {
            there += more[point];
            if (there < least.fewest()) {
                least.drop(at[point] - now, there);
                if (there < atLeast) {
                    return;
                }
            }
        }
    }
}
