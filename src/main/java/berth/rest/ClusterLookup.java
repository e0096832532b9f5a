package berth.rest;

import berth.broker.Peers;
import berth.desk.Desks;
import berth.reservation.ClusterId;
import berth.scheduling.ClusterSchedule;
import org.springframework.stereotype.Component;

/** Finds the cluster that a call names. */
@Component
class ClusterLookup {

    private final Desks desks;
    private final Peers peers;

    ClusterLookup(Desks desks, Peers peers) {
        this.desks = desks;
        this.peers = peers;
    }

    /**
     * The last applied schedule of a cluster.
     *
     * @throws Problem if there is no such cluster, or its desk is closed: what it shows may have changed without it
     */
    ClusterSchedule schedule(ClusterId id) {
        if (peers.find(id).isPresent()) {
            throw elsewhere(id);
        }
        desks.closed(id).ifPresent(why -> {
            throw new Problem(ProblemCode.UNAVAILABLE, why);
        });
        return desks.schedule(id).orElseThrow(() -> Problem.notFound("cluster", id.value()));
    }

    /**
     * The last applied schedule of the cluster that a path or a query names.
     *
     * @throws Problem as {@link #schedule(ClusterId)}
     */
    ClusterSchedule schedule(String named) {
        return schedule(new ClusterId(named));
    }

    /**
     * The id of the cluster of this Berth that a path names.
     *
     * @throws Problem as {@link #schedule(ClusterId)}
     */
    ClusterId id(String named) {
        return schedule(named).cluster().id();
    }

    static Problem elsewhere(ClusterId id) {
        return new Problem(
                ProblemCode.ELSEWHERE,
                "Cluster %s is one of another Berth; ask that one, or reserve without naming a cluster.".formatted(id));
    }

    /**
     * Finds out whether there is such a cluster, here or at another Berth.
     *
     * @throws Problem if there is none, or its desk is closed
     */
    void requireKnown(ClusterId id) {
        if (peers.find(id).isEmpty()) {
            schedule(id);
        }
    }

    /** @throws Problem if the desk of a cluster of this Berth is closed */
    void requireAllOpen() {
        desks.clusters().forEach(cluster -> schedule(cluster.id()));
    }

    /** Whether a cluster that is known is one of this Berth. */
    boolean isHere(ClusterId id) {
        return peers.find(id).isEmpty();
    }

    /** Whether there is such a cluster, here or at another Berth. */
    boolean isKnown(ClusterId id) {
        return desks.schedule(id).isPresent() || peers.find(id).isPresent();
    }
}
