package berth.scheduling;

import berth.batch.BatchJob;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.intake.IntakeRequest;
import berth.reservation.Reservation;
import java.util.Collection;
import java.util.HashSet;

/** Assembles a schedule from recorded data and checks that it is consistent. */
final class Restoring {

    private Restoring() {}

    /**
     * Returns the schedule of all these, without kept places.
     *
     * @param reservations the live ones, and those with {@linkplain ClusterSchedule#openReturns open returns}
     * @throws IllegalStateException if another reservation is not live, or one is on another cluster or occurs twice, or if the reservations take too
     *     many PEs or share one
     */
    static ClusterSchedule schedule(
            Cluster cluster,
            Collection<Reservation> reservations,
            Collection<Outage> outages,
            Collection<BatchJob> jobs,
            Collection<IntakeRequest> requests) {
        var schedule = ClusterSchedule.empty(cluster);
        var ids = new HashSet<OutageId>();
        for (var outage : outages) {
            if (outage.endedAt().isPresent() || !ids.add(outage.id())) {
                throw new IllegalStateException(
                        "Outage %s of cluster %s has ended, or appears twice.".formatted(outage.id(), cluster.id()));
            }
        }
        schedule = schedule.losing(outages);
        for (var reservation : reservations) {
            if (!reservation.cluster().equals(cluster.id())
                    || schedule.findBilled(reservation.id()).isPresent()) {
                throw new IllegalStateException(
                        "Reservation %s of cluster %s does not belong to the schedule of %s, or appears twice."
                                .formatted(reservation.id(), reservation.cluster(), cluster.id()));
            }
            if (!reservation.state().isLive()
                    && !reservation.charge().openReturns().isEmpty()) {
                schedule = schedule.noting(reservation);
                continue;
            }
            if (!reservation.state().isLive()) {
                throw new IllegalStateException("Reservation %s is %s and cannot be in a schedule."
                        .formatted(reservation.id(), reservation.state()));
            }
            try {
                schedule = schedule.adding(reservation).noting(reservation);
            } catch (IllegalStateException e) {
                throw new IllegalStateException(
                        "Reservation %s finds no room on cluster %s.".formatted(reservation.id(), cluster.id()), e);
            }
        }
        for (var job : jobs) {
            try {
                schedule = schedule.withJob(job);
            } catch (IllegalStateException e) {
                throw new IllegalStateException(
                        "Job %s finds no room on cluster %s.".formatted(job.id(), cluster.id()), e);
            }
        }
        for (var request : requests) {
            schedule = schedule.with(request);
        }
        return schedule;
    }
}
