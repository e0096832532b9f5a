package berth.batch;

import berth.reservation.Reservation;
import berth.sla.Part;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The approximate end of a cluster's present work: the time T of paper 001, section 4.1, before which the load method offers no slot. It
 * spreads the remaining time of running jobs and the estimates of waiting jobs over all PEs and halves the result, because estimates are
 * too long. While T grows, it adds the remaining reserved time of each reservation that begins before T. Reservations that begin later are
 * left out, as in the paper, so a slot after T may be taken.
 *
 * <p>Differs from the paper: each part of a split reservation counts as a reservation, and without jobs T is now, whatever is reserved.
 */
public final class PresentWork {

    /** The divisor of estimates: the paper's accuracy factor is 0.5. */
    private static final long OVERESTIMATION = 2;

    private PresentWork() {}

    /**
     * Returns T, rounded up to whole seconds since the epoch. O(jobs + r log r) for r reservations.
     *
     * @param pes the PEs of the cluster, in service or not
     */
    public static long end(Jobs jobs, Collection<Reservation> reservations, int pes, long now) {
        if (jobs.isEmpty()) {
            return now;
        }
        // PE-seconds, doubled
        long work = 0;
        for (var job : jobs.waiting()) {
            work += job.estimate() * job.pes();
        }
        for (var job : jobs.running()) {
            work += (job.run().orElseThrow().until() - now) * job.pes();
        }
        for (var part : inOrder(reservations, now)) {
            long begins = part.slot().start() - now;
            if (begins >= 0 && begins * pes * OVERESTIMATION >= work) {
                break;
            }
            work += (part.slot().end() - Math.max(part.slot().start(), now)) * part.pes() * OVERESTIMATION;
        }
        return now + Math.ceilDiv(work, pes * OVERESTIMATION);
    }

    private static List<Part> inOrder(Collection<Reservation> reservations, long now) {
        return reservations.stream()
                .flatMap(reservation -> reservation.parts().stream())
                .filter(part -> part.slot().end() > now)
                .sorted(Comparator.comparingLong(part -> part.slot().start()))
                .toList();
    }
}
