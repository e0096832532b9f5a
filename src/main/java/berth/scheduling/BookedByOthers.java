package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.availability.Step;
import berth.time.Slot;
import java.util.stream.LongStream;

/**
 * The PEs that reservations of all accounts but one have booked over time: those that are not free, without those that outages, batch jobs,
 * the places kept for jobs, and the account's own reservations take. They are computed as a difference, because the reservations of others
 * are the many.
 *
 * @param free the free PEs
 * @param without the PEs that would be free without the reservations of others, at least as many at any time
 */
record BookedByOthers(CapacityProfile free, CapacityProfile without) {

    /** Returns the PE-seconds that are booked during a slot. O(points of the profiles in that time). */
    long during(Slot slot) {
        return peSeconds(without, slot) - peSeconds(free, slot);
    }

    private static long peSeconds(CapacityProfile profile, Slot slot) {
        var steps = profile.steps(slot);
        long sum = 0;
        for (int i = 0; i < steps.size(); i++) {
            long end = i + 1 < steps.size() ? steps.get(i + 1).start() : slot.end();
            sum += (end - steps.get(i).start()) * steps.get(i).free();
        }
        return sum;
    }

    /** Returns the seconds of a slot at which the number of booked PEs may change, in no particular order, some more than once. */
    LongStream changes(Slot slot) {
        return LongStream.concat(
                free.steps(slot).stream().mapToLong(Step::start),
                without.steps(slot).stream().mapToLong(Step::start));
    }
}
