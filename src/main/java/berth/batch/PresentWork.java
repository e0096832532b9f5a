package berth.batch;

import berth.reservation.Reservation;
import berth.sla.Part;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * When the present work of a cluster is about over: the time T of paper 001, section 4.1, before which its load method makes
 * no slot available. The remaining time of running jobs and the estimates of waiting ones, spread over all PEs, half of it since
 * estimates are too long; and, one after the other as T grows, what is reserved from now on of each reservation that begins
 * before T. Those that begin later are left out, as in the paper, so a slot behind T may still be taken.
 *
 * <p>Ours: the part of a reservation in parts counts as a reservation of its own; without jobs T is now, whatever is reserved.
 */
public final class PresentWork {

    /** One in so many seconds of an estimate is used: the paper's accuracy factor of 0.5. */
    private static final long OVERESTIMATION = 2;

    private PresentWork() {}

    /**
     * T, rounded up to whole seconds since the epoch. O(jobs + r log r) for r reservations.
     *
     * @param pes of the cluster, in service or not
     */
    public static long end(Jobs jobs, Collection<Reservation> reservations, int pes, long now) {
        if (jobs.isEmpty()) {
            return now;
        }
        // in PE-seconds, doubled
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
