package berth.booking.web;

import berth.engine.Desks;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.peers.Peers;
import berth.reservation.ClusterId;
import berth.scheduling.ClusterSchedule;
import org.springframework.stereotype.Component;

/** Finds the cluster that a call names. */
@Component
public class ClusterLookup {

    private final Desks desks;
    private final Peers peers;

    ClusterLookup(Desks desks, Peers peers) {
        this.desks = desks;
        this.peers = peers;
    }

    /**
     * Returns the last applied schedule of a cluster.
     *
     * @throws Problem if there is no such cluster, or if its desk is closed: the recorded state may then be newer than its schedule
     */
    public ClusterSchedule schedule(ClusterId id) {
        if (peers.find(id).isPresent()) {
            throw elsewhere(id);
        }
        desks.closed(id).ifPresent(why -> {
            throw new Problem(ProblemCode.UNAVAILABLE, why);
        });
        return desks.schedule(id).orElseThrow(() -> Problem.notFound("cluster", id.value()));
    }

    /**
     * Returns the last applied schedule of the cluster named in a path or a query.
     *
     * @throws Problem as {@link #schedule(ClusterId)}
     */
    public ClusterSchedule schedule(String named) {
        return schedule(new ClusterId(named));
    }

    /**
     * Returns the id of the cluster of this Berth that a path names.
     *
     * @throws Problem as {@link #schedule(ClusterId)}
     */
    public ClusterId id(String named) {
        return schedule(named).cluster().id();
    }

    public static Problem elsewhere(ClusterId id) {
        return new Problem(
                ProblemCode.ELSEWHERE,
                "Cluster %s belongs to another Berth. Call that Berth, or reserve without naming a cluster."
                        .formatted(id));
    }

    /**
     * Checks that the cluster exists, here or at another Berth.
     *
     * @throws Problem if it does not, or if its desk is closed
     */
    void requireKnown(ClusterId id) {
        if (peers.find(id).isEmpty()) {
            schedule(id);
        }
    }

    /** Whether the named cluster belongs to this Berth and gives requests a slack that they did not ask for. */
    boolean hasDefaultSlack(ClusterId id) {
        return desks.schedule(id)
                .filter(schedule -> schedule.cluster().policy().defaultSlack().isPresent())
                .isPresent();
    }

    /**
     * Checks that the desks of all clusters of this Berth are open.
     *
     * @throws Problem if one is closed
     */
    void requireAllOpen() {
        desks.clusters().forEach(cluster -> schedule(cluster.id()));
    }

    /** Returns whether a known cluster belongs to this Berth. */
    boolean isHere(ClusterId id) {
        return peers.find(id).isEmpty();
    }

    /** Returns whether the cluster exists, here or at another Berth. */
    public boolean isKnown(ClusterId id) {
        return desks.schedule(id).isPresent() || peers.find(id).isPresent();
    }
}
