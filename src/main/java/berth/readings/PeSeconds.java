package berth.readings;

import berth.time.Slot;
import java.util.Arrays;

/** PE-seconds in each step of a time range. */
public final class PeSeconds {

    private final Slot range;
    private final long length;

    /** PE-seconds of times that begin or end within the step. */
    private final long[] partly;

    /** The change, at the beginning of each step, in the number of PEs that count throughout a step. */
    private final long[] throughout;

    /** @param length the length of a step in seconds; the last step may be shorter */
    public PeSeconds(Slot range, long length) {
        this.range = range;
        this.length = Math.min(length, range.duration());
        int steps = steps(range, length);
        partly = new long[steps];
        throughout = new long[steps + 1];
    }

    /** Returns the number of steps of a time range. */
    public static int steps(Slot range, long length) {
        return Math.toIntExact((range.duration() - 1) / length + 1);
    }

    /** Counts PEs for the part of a time that lies in the range. O(1). */
    public void add(Slot slot, long pes) {
        if (!slot.overlaps(range)) {
            return;
        }
        long start = Math.max(slot.start(), range.start());
        long end = Math.min(slot.end(), range.end());
        int first = index(start);
        int last = index(end - 1);
        if (first == last) {
            partly[first] += (end - start) * pes;
            return;
        }
        partly[first] += (step(first).end() - start) * pes;
        partly[last] += (end - step(last).start()) * pes;
        throughout[first + 1] += pes;
        throughout[last] -= pes;
    }

    /** Returns the PE-seconds of each step. */
    public long[] inSteps() {
        var all = new long[partly.length];
        long whole = 0;
        for (int i = 0; i < all.length; i++) {
            whole += throughout[i];
            all[i] = partly[i] + whole * step(i).duration();
        }
        return all;
    }

    /** Returns the PE-seconds of the whole range. */
    public long sum() {
        return Arrays.stream(inSteps()).sum();
    }

    private int index(long second) {
        return (int) ((second - range.start()) / length);
    }

    /** Returns the time of a step. */
    public Slot step(int i) {
        long start = range.start() + i * length;
        return new Slot(start, Math.min(range.end(), start + length));
    }
}
