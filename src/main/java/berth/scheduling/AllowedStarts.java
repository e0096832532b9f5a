package berth.scheduling;

import berth.batch.PresentWork;
import berth.cluster.AvailabilityMethod;
import berth.reservation.ReservationState;
import berth.sla.Terms;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * When a cluster's rules allow a run to start, regardless of free PEs.
 *
 * @param earliest the first second that respects the ready time and the cluster's lead time (Berth's own rule)
 * @param busyUntil the end of the present batch work, before which no new reservation starts: T of paper 001, section 4.1, for availability
 *     by load; in the past if there is no such bound
 * @param onlyNow why only a run that starts at once is allowed, by paper 002's ARM; empty if later starts are allowed too
 */
public record AllowedStarts(long earliest, long busyUntil, Optional<Rejection> onlyNow, long now) {

    /** Returns the starts allowed to a new request. */
    public static AllowedStarts ofNewcomer(ClusterSchedule schedule, Terms terms, long now) {
        return new AllowedStarts(earliest(schedule, terms, now), busyUntil(schedule, now), bookedAhead(schedule), now);
    }

    /** Returns the starts allowed to an existing reservation, which may move or change whatever else is reserved. */
    public static AllowedStarts ofAgreed(ClusterSchedule schedule, Terms terms, long now) {
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
     * Returns why no more runs may be booked ahead; empty if they may. Paper 002's ARM reserves a percentage of all jobs in advance. A run
     * counts as booked ahead from its acceptance to its start. The total is the number of live reservations and batch jobs, including the
     * new one. The paper does not say over which jobs the percentage is taken; here the allowed number is rounded up, so that the first
     * request is not refused. O(n) for n live reservations if the cluster sets a share, else O(1).
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

    /** Whether a start lies ahead although only a run that starts at once is allowed. */
    public boolean isTooFarAhead(long start) {
        return start > now && onlyNow.isPresent();
    }

    /** Whether a start is late enough for the cluster's batch jobs, for availability by load: paper 001, equation 1. */
    public boolean isAfterPresentWork(long start) {
        return start >= busyUntil;
    }
}
