package berth.readings;

import berth.time.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The share of a cluster that is booked in each step of a time range: of all its PEs, and of those in service. */
final class Utilisation {

    private final Slot range;
    private final long pes;
    private final PeSeconds booked;
    private final PeSeconds outOfService;

    /**
     * @param length the length of a step in seconds; the last step may be shorter
     * @param pes the number of PEs that could be booked
     */
    Utilisation(Slot range, long length, long pes) {
        this.range = range;
        this.pes = pes;
        this.booked = new PeSeconds(range, length);
        this.outOfService = new PeSeconds(range, length);
    }

    /** Counts PEs that are booked for a time that overlaps the range. O(1). */
    void add(Slot slot, int taken) {
        booked.add(slot, taken);
    }

    /** Counts PEs that are out of service for a time that overlaps the range. O(1). */
    void lose(Slot slot, int lost) {
        outOfService.add(slot, lost);
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
            shares.add(share(booked.step(i), taken[i], lost[i]));
        }
        return shares;
    }

    /** Returns the share of the whole range. */
    Share mean() {
        return share(range, booked.sum(), outOfService.sum());
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
