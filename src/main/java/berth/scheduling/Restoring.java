package berth.scheduling;

import berth.batch.BatchJob;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.intake.IntakeRequest;
import berth.reservation.Reservation;
import java.util.Collection;

/** Puts a schedule together of what was recorded, and checks that it can have come about. */
final class Restoring {

    private Restoring() {}

    /**
     * The schedule of all these, where no place is kept for jobs that wait.
     *
     * @throws IllegalStateException if they are not all live, of this cluster and distinct, or take more PEs than it has,
     *     or PEs that another has
     */
    static ClusterSchedule schedule(
            Cluster cluster,
            Collection<Reservation> reservations,
            Collection<Outage> outages,
            Collection<BatchJob> jobs,
            Collection<IntakeRequest> requests) {
        var schedule = ClusterSchedule.empty(cluster);
        for (var outage : outages) {
            if (outage.endedAt().isPresent() || schedule.find(outage.id()).isPresent()) {
                throw new IllegalStateException(
                        "Outage %s of cluster %s is over, or is there twice.".formatted(outage.id(), cluster.id()));
            }
            schedule = schedule.losing(outage);
        }
        for (var reservation : reservations) {
            if (!reservation.cluster().equals(cluster.id())
                    || schedule.find(reservation.id()).isPresent()) {
                throw new IllegalStateException(
                        "Reservation %s of cluster %s does not belong to the schedule of %s, or is there twice."
                                .formatted(reservation.id(), reservation.cluster(), cluster.id()));
            }
            if (!reservation.state().isLive()) {
                throw new IllegalStateException("Reservation %s is %s and has no place in a schedule."
                        .formatted(reservation.id(), reservation.state()));
            }
            try {
                schedule = schedule.adding(reservation);
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
