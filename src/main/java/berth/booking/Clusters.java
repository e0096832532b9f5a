package berth.booking;

import berth.cluster.Cluster;
import berth.engine.AdmissionControl;
import berth.engine.Desks;
import berth.engine.Records;
import berth.peers.Peer;
import berth.peers.Peers;
import berth.peers.WireTerms;
import berth.reservation.ClusterId;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The clusters to which a request can go, here and at other Berths. Thread-safe. */
final class Clusters {

    private final Desks desks;
    private final AdmissionControl admission;
    private final Records records;
    private final Peers peers;
    private final Mirrors mirrors;
    private final WireTerms wire;
    private final HoldTimes holds;
    private final InstantSource clock;

    Clusters(
            Desks desks,
            AdmissionControl admission,
            Records records,
            Peers peers,
            Mirrors mirrors,
            WireTerms wire,
            HoldTimes holds,
            InstantSource clock) {
        this.desks = desks;
        this.admission = admission;
        this.records = records;
        this.peers = peers;
        this.mirrors = mirrors;
        this.wire = wire;
        this.holds = holds;
        this.clock = clock;
    }

    /** Returns a known cluster. */
    AnyCluster of(ClusterId id) {
        return elsewhere(id).<AnyCluster>map(there -> there).orElseGet(() -> here(id));
    }

    /** Returns a cluster of another Berth; empty if there is none with that name. */
    Optional<RemoteCluster> elsewhere(ClusterId id) {
        return peers.find(id).map(this::of);
    }

    LocalCluster here(ClusterId id) {
        return new LocalCluster(id, desks, admission, records, holds);
    }

    private RemoteCluster of(Peer peer) {
        return new RemoteCluster(peer, peers, mirrors, wire, desks.limits(), desks.budgets(), clock);
    }

    /** Returns the clusters of this Berth to which a request can go, except skipped ones. */
    List<LocalCluster> here(Request request, Set<ClusterId> passedOver) {
        return request.among(desks.clustersInUse(), Cluster::id).stream()
                .filter(cluster -> !passedOver.contains(cluster.id()))
                .map(cluster -> here(cluster.id()))
                .toList();
    }

    /** Returns the clusters of other Berths to which a request can go, except skipped ones. */
    List<RemoteCluster> elsewhere(Request request, Set<ClusterId> passedOver) {
        return request.among(peers.all(), Peer::id).stream()
                .filter(peer -> !passedOver.contains(peer.id()))
                .map(this::of)
                .toList();
    }

    /** Returns all clusters of other Berths. */
    List<RemoteCluster> elsewhere() {
        return peers.all().stream().map(this::of).toList();
    }
}
