package berth.availability;

import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The oracle for {@link CapacityProfile}: an array with one element per second from {@code origin} on. It answers every question by trying
 * all possibilities and has no data outside its seconds.
 */
public final class ArrayProfile {

    private final int capacity;
    private final long origin;
    private final int[] free;

    public ArrayProfile(int capacity, long origin, int seconds) {
        this.capacity = capacity;
        this.origin = origin;
        this.free = new int[seconds];
        Arrays.fill(free, capacity);
    }

    /** Takes PEs and returns whether that was possible; if not, nothing has changed. */
    public boolean take(Slot slot, int pes) {
        return add(slot, -pes);
    }

    /** Gives PEs back and returns whether that was possible; if not, nothing has changed. */
    public boolean giveBack(Slot slot, int pes) {
        return add(slot, pes);
    }

    private boolean add(Slot slot, int delta) {
        for (int i = index(slot.start()); i < index(slot.end()); i++) {
            if (free[i] + delta < 0 || free[i] + delta > capacity) {
                return false;
            }
        }
        for (int i = index(slot.start()); i < index(slot.end()); i++) {
            free[i] += delta;
        }
        return true;
    }

    public int free(long second) {
        return free[index(second)];
    }

    public int fewestFree(Slot slot) {
        return Arrays.stream(free, index(slot.start()), index(slot.end())).min().orElseThrow();
    }

    public long[] fitStarts(Window window, long duration, int pes) {
        List<Long> starts = new ArrayList<>();
        boolean fitted = false;
        int last = (int) Math.max(-1, index(window.deadline()) - duration);
        for (int i = index(window.readyTime()); i <= last; i++) {
            boolean fits = true;
            for (int j = i; fits && j < i + duration; j++) {
                fits = free[j] >= pes;
            }
            if (fits && !fitted) {
                starts.add(origin + i);
            }
            fitted = fits;
        }
        return starts.stream().mapToLong(Long::longValue).toArray();
    }

    /** Returns what {@link CapacityProfile#rectangles} does; everything outside the array is free. */
    public List<Rectangle> rectangles(Demand demand, int among) {
        List<Rectangle> rectangles = new ArrayList<>();
        int spared = capacity - among;
        int ready = index(demand.window().readyTime());
        int latest = (int) Math.max(-1, index(demand.window().deadline()) - demand.duration());
        for (int start = ready; start <= latest; start++) {
            int end = (int) (start + demand.duration());
            int fewest = Arrays.stream(free, start, end).min().orElseThrow();
            boolean candidate = start == ready || start == latest || changesAt(start) || changesAt(end);
            if (candidate && fewest - spared >= demand.pes()) {
                rectangles.add(rectangle(start, fewest, spared, demand.present()));
            }
        }
        return rectangles;
    }

    private boolean changesAt(int index) {
        return free[index] != free[index - 1];
    }

    private Rectangle rectangle(int start, int fewest, int spared, long present) {
        int from = start;
        while (from > 0 && free[from - 1] >= fewest) {
            from--;
        }
        int to = start;
        while (to < free.length && free[to] >= fewest) {
            to++;
        }
        return new Rectangle(
                origin + start,
                fewest - spared,
                from == 0 ? present : Math.max(present, origin + from),
                to == free.length ? Long.MAX_VALUE : origin + to);
    }

    public List<Step> steps(Slot slot) {
        List<Step> steps = new ArrayList<>();
        for (int i = index(slot.start()); i < index(slot.end()); i++) {
            if (steps.isEmpty() || steps.getLast().free() != free[i]) {
                steps.add(new Step(origin + i, free[i]));
            }
        }
        return steps;
    }

    private int index(long second) {
        return Math.toIntExact(second - origin);
    }
}
