package berth.rest;

import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;

/** Which share of a cluster is booked in each step of a time. */
final class Utilisation {

    private final Slot range;
    private final long length;
    private final long pes;

    /** PE-seconds in the steps in which something begins or ends. */
    private final long[] partly;

    /** By how many the PEs that are booked throughout a step change with it. */
    private final long[] throughout;

    /**
     * @param length of a step in seconds; the last one may be shorter
     * @param pes what there is to be booked
     */
    Utilisation(Slot range, long length, long pes) {
        this.range = range;
        this.length = Math.min(length, range.duration());
        this.pes = pes;
        int steps = Math.toIntExact((range.duration() + this.length - 1) / this.length);
        this.partly = new long[steps];
        this.throughout = new long[steps + 1];
    }

    /** Counts PEs that are booked for a time, which overlaps the range. O(1). */
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

    /** A step, and the share of its PE-seconds that is booked, to six decimals. */
    record Share(Slot step, double booked) {}

    /** All steps, in order. */
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

    /** The share of the whole range that is booked, to six decimals. */
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
