package berth.readings;

import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The share of a cluster that is booked in each step of a time range: of all its PEs, and of those in service. */
final class Utilisation {

    private final Slot range;
    private final long length;
    private final long pes;
    private final Amounts booked;
    private final Amounts outOfService;

    /**
     * @param length the length of a step in seconds; the last step may be shorter
     * @param pes the number of PEs that could be booked
     */
    Utilisation(Slot range, long length, long pes) {
        this.range = range;
        this.length = Math.min(length, range.duration());
        this.pes = pes;
        int steps = Math.toIntExact((range.duration() + this.length - 1) / this.length);
        this.booked = new Amounts(steps);
        this.outOfService = new Amounts(steps);
    }

    /** Counts PEs that are booked for a time that overlaps the range. O(1). */
    void add(Slot slot, int taken) {
        booked.add(slot, taken);
    }

    /** Counts PEs that are out of service for a time that overlaps the range. O(1). */
    void lose(Slot slot, int lost) {
        outOfService.add(slot, lost);
    }

    /** PE-seconds by step. */
    private final class Amounts {

        /** PE-seconds of times that begin or end within the step. */
        private final long[] partly;

        /** The change, at the beginning of each step, in the number of PEs that count throughout a step. */
        private final long[] throughout;

        Amounts(int steps) {
            partly = new long[steps];
            throughout = new long[steps + 1];
        }

        void add(Slot slot, int some) {
            long start = Math.max(slot.start(), range.start());
            long end = Math.min(slot.end(), range.end());
            int first = index(start);
            int last = index(end - 1);
            if (first == last) {
                partly[first] += (end - start) * some;
                return;
            }
            partly[first] += (step(first).end() - start) * some;
            partly[last] += (end - step(last).start()) * some;
            throughout[first + 1] += some;
            throughout[last] -= some;
        }

        /** Returns the PE-seconds of each step. */
        long[] inSteps() {
            var all = new long[partly.length];
            long whole = 0;
            for (int i = 0; i < all.length; i++) {
                whole += throughout[i];
                all[i] = partly[i] + whole * step(i).duration();
            }
            return all;
        }
    }

    private int index(long second) {
        return (int) ((second - range.start()) / length);
    }

    private Slot step(int i) {
        long start = range.start() + i * length;
        return new Slot(start, Math.min(range.end(), start + length));
    }

    /**
     * A step and the booked share of its PE-seconds, to six decimals.
     *
     * @param booked of all PEs
     * @param ofThoseInService of the PEs in service; empty if there are none
     */
    record Share(Slot step, double booked, OptionalDouble ofThoseInService) {}

    /** Returns all steps, in order. */
    List<Share> shares() {
        var shares = new ArrayList<Share>();
        var taken = booked.inSteps();
        var lost = outOfService.inSteps();
        for (int i = 0; i < taken.length; i++) {
            shares.add(share(step(i), taken[i], lost[i]));
        }
        return shares;
    }

    /** Returns the share of the whole range. */
    Share mean() {
        long taken = 0;
        long lost = 0;
        for (long seconds : booked.inSteps()) {
            taken += seconds;
        }
        for (long seconds : outOfService.inSteps()) {
            lost += seconds;
        }
        return share(range, taken, lost);
    }

    private Share share(Slot slot, long taken, long lost) {
        long all = slot.duration() * pes;
        return new Share(
                slot,
                rounded(taken, all),
                lost < all ? OptionalDouble.of(rounded(taken, all - lost)) : OptionalDouble.empty());
    }

    private static double rounded(long some, long all) {
        return Math.round((double) some / all * 1e6) / 1e6;
    }
}
