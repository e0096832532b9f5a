package berth.scheduling;

import berth.batch.PresentWork;
import berth.cluster.AvailabilityMethod;
import berth.reservation.ReservationState;
import berth.sla.Terms;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * When the rules of a cluster let a run start, however free it is.
 *
 * @param earliest the first second that keeps the ready time and the cluster's lead time (ours)
 * @param busyUntil before this second the cluster is too busy with its batch jobs for a newcomer: T of paper 001, section 4.1,
 *     where availability is told by load; in the past where it is not
 * @param onlyNow why only a run that begins at once is taken; empty if any is: paper 002's ARM
 */
record AllowedStarts(long earliest, long busyUntil, Optional<Rejection> onlyNow, long now) {

    /** Those of a newcomer. */
    static AllowedStarts ofNewcomer(ClusterSchedule schedule, Terms terms, long now) {
        return new AllowedStarts(earliest(schedule, terms, now), busyUntil(schedule, now), bookedAhead(schedule), now);
    }

    /** Those of one that has an agreement: it keeps it, and may be moved or change it, whatever else is booked. */
    static AllowedStarts ofAgreed(ClusterSchedule schedule, Terms terms, long now) {
        return new AllowedStarts(earliest(schedule, terms, now), Long.MIN_VALUE, Optional.empty(), now);
    }

    private static long earliest(ClusterSchedule schedule, Terms terms, long now) {
        long lead = schedule.cluster().policy().limits().leadTime();
        return Math.max(terms.window().readyTime(), now + lead);
    }

    private static long busyUntil(ClusterSchedule schedule, long now) {
        boolean isByLoad = schedule.cluster().policy().availability().method() == AvailabilityMethod.LOAD;
        return isByLoad && !schedule.jobs().isEmpty()
                ? PresentWork.end(
                        schedule.jobs(),
                        schedule.reservations(),
                        schedule.cluster().pes(),
                        now)
                : Long.MIN_VALUE;
    }

    /**
     * Why no more runs may be booked ahead, if not: paper 002 (its ARM) reserves a percentage of all jobs in advance. A run lies
     * ahead from its acceptance to its start; the runs are all live reservations and batch jobs, with the one that is asked
     * for. The paper leaves open over which jobs the percentage is taken; it is rounded up here, so that the first is not
     * refused. O(n) for n live reservations where the cluster sets a share, else O(1).
     */
    private static Optional<Rejection> bookedAhead(ClusterSchedule schedule) {
        var limits = schedule.cluster().policy().limits();
        if (!limits.boundsAdvance()) {
            return Optional.empty();
        }
        int ahead = (int) schedule.reservations().stream()
                .filter(one -> one.state() != ReservationState.RUNNING)
                .count();
        int runs = schedule.reservations().size() + schedule.jobs().size();
        var most = limits.advanceShare().multiply(BigDecimal.valueOf(runs + 1L)).setScale(0, RoundingMode.CEILING);
        return BigDecimal.valueOf(ahead + 1L).compareTo(most) > 0
                ? Optional.of(new Rejection.BookedAhead(ahead, runs, limits.advanceShare()))
                : Optional.empty();
    }

    /** Whether a start lies ahead although only a run that begins at once is taken. */
    boolean isTooFarAhead(long start) {
        return start > now && onlyNow.isPresent();
    }

    /** Whether a start is not too early for the cluster's batch jobs, where that is told by load: paper 001, equation 1. */
    boolean isAfterPresentWork(long start) {
        return start >= busyUntil;
    }
}
