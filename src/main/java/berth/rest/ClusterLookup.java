package berth.rest;

import berth.desk.Desks;
import berth.scheduling.ClusterSchedule;
import org.springframework.stereotype.Component;

/** Finds the cluster that a call names. */
@Component
class ClusterLookup {

    private final Desks desks;

    ClusterLookup(Desks desks) {
        this.desks = desks;
    }

    /**
     * The last applied schedule of a cluster.
     *
     * @throws Problem if there is no such cluster, or the service is still starting
     */
    ClusterSchedule schedule(String id) {
        return desks.schedule(id).orElseThrow(() -> {
            requireRecovered();
            return Problem.notFound("cluster", id);
        });
    }

    /** @throws Problem if the service is still starting */
    void requireRecovered() {
        if (!desks.isRecovered()) {
            throw new Problem(ProblemCode.UNAVAILABLE, "The service is starting; try again in a moment.");
        }
    }
}
