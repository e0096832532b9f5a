package berth.rest;

import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;

/** The share of a cluster that is booked in each step of a time range. */
final class Utilisation {

    private final Slot range;
    private final long length;
    private final long pes;

    /** PE-seconds of bookings that begin or end within the step. */
    private final long[] partly;

    /** The change, at the beginning of each step, in the number of PEs that are booked throughout a step. */
    private final long[] throughout;

    /**
     * @param length the length of a step in seconds; the last step may be shorter
     * @param pes the number of PEs that could be booked
     */
    Utilisation(Slot range, long length, long pes) {
        this.range = range;
        this.length = Math.min(length, range.duration());
        this.pes = pes;
        int steps = Math.toIntExact((range.duration() + this.length - 1) / this.length);
        this.partly = new long[steps];
        this.throughout = new long[steps + 1];
    }

    /** Counts PEs that are booked for a time that overlaps the range. O(1). */
    void add(Slot slot, int taken) {
        long start = Math.max(slot.start(), range.start());
        long end = Math.min(slot.end(), range.end());
        int first = index(start);
        int last = index(end - 1);
        if (first == last) {
            partly[first] += (end - start) * taken;
            return;
        }
        partly[first] += (step(first).end() - start) * taken;
        partly[last] += (end - step(last).start()) * taken;
        throughout[first + 1] += taken;
        throughout[last] -= taken;
    }

    private int index(long second) {
        return (int) ((second - range.start()) / length);
    }

    private Slot step(int i) {
        long start = range.start() + i * length;
        return new Slot(start, Math.min(range.end(), start + length));
    }

    /** A step, and the booked share of its PE-seconds, to six decimals. */
    record Share(Slot step, double booked) {}

    /** Returns all steps, in order. */
    List<Share> shares() {
        var shares = new ArrayList<Share>();
        long whole = 0;
        for (int i = 0; i < partly.length; i++) {
            whole += throughout[i];
            var step = step(i);
            shares.add(new Share(step, share(partly[i] + whole * step.duration(), step)));
        }
        return shares;
    }

    /** Returns the booked share of the whole range, to six decimals. */
    double mean() {
        long whole = 0;
        long sum = 0;
        for (int i = 0; i < partly.length; i++) {
            whole += throughout[i];
            sum += partly[i] + whole * step(i).duration();
        }
        return share(sum, range);
    }

    private double share(long seconds, Slot slot) {
        double share = (double) seconds / ((double) slot.duration() * pes);
        return Math.round(share * 1e6) / 1e6;
    }
}
