package berth.clusters;

import static berth.http.ProblemCode.WRONG_STATE;

import berth.accounts.Account;
import berth.accounts.Role;
import berth.booking.Mirrors;
import berth.booking.web.IdempotencyKeys;
import berth.clusters.ClusterBody.PeerBody;
import berth.engine.Desks;
import berth.http.EntityTag;
import berth.http.EntityTag.Expected;
import berth.http.Fields;
import berth.http.MergePatch;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.RequestFields;
import berth.http.Texts;
import berth.outcome.Outcome;
import berth.peers.Peer;
import berth.peers.Peers;
import berth.peers.Peers.Flaw;
import berth.peers.Peers.Mistake;
import berth.reservation.ClusterId;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Manages clusters of other Berths. Berth checks such a cluster with its peer before adding it, and never shows its token. */
@Component
class RemoteClusters {

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{1,8000}=*");

    /** Ensures that only one cluster at a time takes an id, here or at a peer. */
    private final Lock naming = new ReentrantLock();

    private final Peers peers;
    private final Mirrors mirrors;
    private final Desks desks;
    private final MergePatch mergePatch;

    RemoteClusters(Peers peers, Mirrors mirrors, Desks desks, MergePatch mergePatch) {
        this.peers = peers;
        this.mirrors = mirrors;
        this.desks = desks;
        this.mergePatch = mergePatch;
    }

    /**
     * Creates a cluster of this Berth, and ensures that no other cluster takes its id meanwhile.
     *
     * @param creation creates it with the version with which it begins; its name may have been that of a cluster elsewhere
     */
    <T> T naming(ClusterId id, IntFunction<T> creation) {
        naming.lock();
        try {
            if (peers.find(id).isPresent()) {
                throw ClustersController.taken(id);
            }
            return creation.apply(peers.firstVersion(id));
        } finally {
            naming.unlock();
        }
    }

    Optional<Peer> find(ClusterId id) {
        return peers.find(id);
    }

    Stream<ClusterBody> all(Account account) {
        return peers.all().stream().map(peer -> body(peer, account));
    }

    static ResponseEntity<ClusterBody> tagged(Peer peer, Account account) {
        return tagged(ResponseEntity.ok(), peer, body(peer, account));
    }

    private static ResponseEntity<ClusterBody> tagged(ResponseEntity.BodyBuilder answer, Peer peer, ClusterBody body) {
        return answer.eTag(EntityTag.of(peer.version(), body)).body(body);
    }

    private static ClusterBody body(Peer peer, Account account) {
        return ClusterBody.of(peer, account.role() == Role.ADMIN);
    }

    /**
     * Adds a cluster of another Berth, after a check with that Berth.
     *
     * @param key the idempotency key; must be null, because creating the same cluster again reports that it exists
     */
    ResponseEntity<ClusterBody> create(ClusterBody body, @Nullable String key) {
        if (key != null) {
            throw Problem.notTaken(
                    IdempotencyKeys.HEADER, key, "for clusters of other Berths, the id serves as the key");
        }
        var fields = new Fields(body);
        var id = new ClusterId(fields.required("id", body.id(), "x"));
        if (!id.isWellFormed()) {
            fields.invalid("id", id.value(), "must have 1 to 63 lower-case letters, digits and hyphens");
        }
        var given = peer(body, fields);
        requireOnlyPeer(body, fields);
        fields.check();
        if (desks.schedule(id).isPresent() || peers.find(id).isPresent()) {
            throw ClustersController.taken(id);
        }
        var checked = checked(id, given, 0);
        naming.lock();
        try {
            // the check took time, so another request may have taken the id
            if (desks.schedule(id).isPresent() || peers.find(id).isPresent()) {
                throw ClustersController.taken(id);
            }
            var created = checked.inVersion(peers.firstVersion(id));
            peers.put(created);
            return tagged(
                    ResponseEntity.created(URI.create("/api/v1/clusters/" + id)),
                    created,
                    ClusterBody.of(created, true));
        } finally {
            naming.unlock();
        }
    }

    /** Reads the peer from a request body that has one. */
    private static Given peer(ClusterBody body, Fields fields) {
        var peer = body.peer() == null ? new PeerBody(null, null, null) : body.peer();
        var url = fields.required("peer.url", peer.url(), "");
        var token = fields.required("peer.token", peer.token(), "x");
        var cluster = new ClusterId(fields.required("peer.cluster", peer.cluster(), "x"));
        if (!TOKEN.matcher(token).matches()) {
            fields.invalid("peer.token", null, "must be a token that the other Berth has issued");
        }
        if (!cluster.isWellFormed()) {
            fields.invalid("peer.cluster", cluster.value(), "must be the id of a cluster there");
        }
        return new Given(url, token, cluster);
    }

    private record Given(String url, String token, ClusterId cluster) {}

    /** Reports every other field, because the peer determines its value. */
    private static void requireOnlyPeer(ClusterBody body, Fields fields) {
        body.settings()
                .forEach((field, value) -> fields.invalid(
                        field, RequestFields.value(body, field), "is set by the other Berth; leave it out"));
        body.requireNoEffects(fields);
    }

    private Peer checked(ClusterId id, Given given, int version) {
        return switch (peers.check(id, given.url, given.token, given.cluster, version)) {
            case Outcome.Done(var peer) -> peer;
            case Outcome.NotDone(Mistake(var flaw, var message)) -> throw problem(flaw, message, given);
        };
    }

    /** Returns the problem of a failed check. It never shows the token, not even to the client that sent it. */
    private static Problem problem(Flaw flaw, String message, Given given) {
        return switch (flaw) {
            case URL -> Problem.field(ProblemCode.INVALID_TERMS, "peer.url", Texts.shown(given.url), message);
            case TOKEN -> Problem.field(ProblemCode.INVALID_TERMS, "peer.token", null, message);
            case CLUSTER -> Problem.field(ProblemCode.INVALID_TERMS, "peer.cluster", given.cluster.value(), message);
        };
    }

    /** Changes the address, the token or the cluster at the peer, after a check with the peer. */
    ResponseEntity<ClusterBody> change(Peer present, JsonNode patch, Expected expected) {
        if (!expected.includes(present.version())) {
            throw EntityTag.stale(present.version());
        }
        var before = new ClusterBody(
                present.id().value(),
                Map.of(),
                new PeerBody(
                        present.url().toString(),
                        present.token(),
                        present.cluster().value()),
                null);
        var after = mergePatch.apply(patch, before, ClusterBody.class);
        var fields = new Fields(after);
        var given = peer(after, fields);
        requireOnlyPeer(after, fields);
        fields.check();
        if (!present.id().value().equals(after.id())) {
            throw Problem.field(ProblemCode.INVALID_TERMS, "id", after.id(), "cannot change; leave it out");
        }
        boolean isElsewhere = !given.cluster.equals(present.cluster())
                || !given.url.replaceAll("/+$", "").equals(present.url().toString());
        if (isElsewhere && mirrors.isInUse(present.id())) {
            throw inUse(present.id());
        }
        var checked = checked(present.id(), given, present.version() + 1);
        naming.lock();
        try {
            var asked = peers.find(present.id());
            if (asked.isEmpty() || asked.get().version() != present.version()) {
                throw Problem.busy();
            }
            peers.put(checked);
        } finally {
            naming.unlock();
        }
        return tagged(ResponseEntity.ok(), checked, ClusterBody.of(checked, true));
    }

    /**
     * Removes a cluster of another Berth.
     *
     * @throws Problem while there are live reservations on the cluster
     */
    void forget(Peer peer) {
        if (mirrors.isInUse(peer.id())) {
            throw inUse(peer.id());
        }
        peers.remove(peer.id());
    }

    private static Problem inUse(ClusterId id) {
        return new Problem(
                WRONG_STATE,
                "Cluster %s has live reservations at the other Berth. Cancel them, or wait until they end."
                        .formatted(id));
    }
}
