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
     * @throws Problem if there is no such cluster, or its desk is closed: what it shows may have changed without it
     */
    ClusterSchedule schedule(String id) {
        desks.closed(id).ifPresent(why -> {
            throw new Problem(ProblemCode.UNAVAILABLE, why);
        });
        return desks.schedule(id).orElseThrow(() -> Problem.notFound("cluster", id));
    }
}
