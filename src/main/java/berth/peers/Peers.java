package berth.peers;

import berth.outcome.Outcome;
import berth.reservation.ClusterId;
import berth.runtime.Threads;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The clusters of other Berths that this Berth can use. Thread-safe. */
public final class Peers {

    /** The version of the API that this Berth offers and calls. */
    public static final int CONTRACT = 1;

    /** The name with which a Berth identifies itself. */
    public static final String SERVICE = "berth";

    /** How long a peer that was silent or slow is not asked for slots, in seconds, so that it does not delay every request. */
    private static final long SULK = 5;

    /** An answer that takes longer than this would delay all requests that are decided one after another. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(Peers.class);

    private final PeerStore store;
    private final BerthClient client;
    private final Threads threads;
    private final InstantSource clock;
    private final Map<ClusterId, Peer> known = new ConcurrentHashMap<>();
    private final Map<ClusterId, Long> heldUpSince = new ConcurrentHashMap<>();
    private volatile boolean isLoaded;

    public Peers(PeerStore store, BerthClient client, Threads threads, InstantSource clock) {
        this.threads = threads;
        this.store = store;
        this.client = client;
        this.clock = clock;
    }

    /** Returns all peers, by name. */
    public List<Peer> all() {
        return known().values().stream().sorted(Comparator.comparing(Peer::id)).toList();
    }

    public Optional<Peer> find(ClusterId id) {
        return Optional.ofNullable(known().get(id));
    }

    private Map<ClusterId, Peer> known() {
        if (!isLoaded) {
            store.all().forEach(peer -> known.putIfAbsent(peer.id(), peer));
            known.values().stream()
                    .filter(peer -> peer.token().isEmpty())
                    .forEach(peer -> log.warn(
                            "The token for cluster {} was sealed with another key, so Berth cannot use it. Send the token again, as peer.token.",
                            peer.id()));
            isLoaded = true;
        }
        return known;
    }

    /** Clears the memory of peers, which another process may have changed; they are read again when needed. */
    public void forget() {
        isLoaded = false;
        known.clear();
    }

    /** Returns the identity of this Berth. */
    public String instance() {
        return store.instance().toString();
    }

    /** A fault of a peer. */
    public enum Flaw {
        /** The URL is not that of a Berth. */
        URL,
        /** The token is not accepted. */
        TOKEN,
        /** The cluster does not exist there. */
        CLUSTER
    }

    /** Why a check failed; {@code message} states what the field must be. */
    public record Mistake(Flaw flaw, String message) {}

    /** Checks that a Berth with our API exists at the URL, accepts the token and has the cluster. */
    public Outcome<Peer, Mistake> check(ClusterId id, String url, String token, ClusterId cluster, int version) {
        var address = address(url);
        if (address.isEmpty()) {
            return mistaken(
                    Flaw.URL,
                    "must be the address of a Berth, with its host in ASCII, such as https://berth.example.org");
        }
        return switch (client.getOpenly(address.get())) {
            case Reply.Silent(var why) -> mistaken(Flaw.URL, "cannot be checked: " + why + "; try again later");
            case Reply.Heard(int status, var body) ->
                mismatch(status, body)
                        .map(message -> mistaken(Flaw.URL, message))
                        .orElseGet(() -> card(new Peer(
                                id, address.get(), token, cluster, JsonNodeFactory.instance.objectNode(), 0, version)));
        };
    }

    private static Outcome<Peer, Mistake> mistaken(Flaw flaw, String message) {
        return new Outcome.NotDone<>(new Mistake(flaw, message));
    }

    private static Optional<URI> address(String url) {
        try {
            var address = new URI(url.replaceAll("/+$", ""));
            boolean isHttp =
                    "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());
            return isHttp
                            && address.getHost() != null
                            && address.getQuery() == null
                            && address.getFragment() == null
                            && address.getUserInfo() == null
                    ? Optional.of(address)
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private Optional<String> mismatch(int status, JsonNode body) {
        if (status != 200 || !SERVICE.equals(body.path("service").asString(""))) {
            return Optional.of("is not a Berth, or one with another API; correct the address");
        }
        int contract = body.path("contract").asInt(0);
        if (contract != CONTRACT) {
            return Optional.of(
                    "is a Berth with version %d of the contract, but this one has version %d; choose one with the same version"
                            .formatted(contract, CONTRACT));
        }
        return instance().equals(body.path("instance").asString(""))
                ? Optional.of("is this Berth itself, whose clusters are candidates already; choose another one")
                : Optional.empty();
    }

    private Outcome<Peer, Mistake> card(Peer asked) {
        return switch (client.get(asked.url(), asked.token(), "/clusters/" + asked.cluster())) {
            case Reply.Heard(int status, var card)
            when status == 200 && card.path("pes").isInt() ->
                card.has("peer")
                        ? mistaken(Flaw.CLUSTER, "is itself a cluster of another Berth; name that Berth")
                        : new Outcome.Done<>(
                                asked.answering(card, clock.instant().getEpochSecond()));
            case Reply.Heard(int status, var _)
            when status == 401 || status == 403 ->
                mistaken(Flaw.TOKEN, "is not accepted there; send the token of an account with the role CLIENT");
            case Reply.Heard(int status, var _)
            when status == 404 -> mistaken(Flaw.CLUSTER, "is not a cluster there; correct its name");
            case Reply.Heard(int status, var _) ->
                mistaken(
                        Flaw.URL,
                        "answers with status %d when asked for the cluster; try again later".formatted(status));
            case Reply.Silent(var why) -> mistaken(Flaw.URL, "cannot be checked: " + why + "; try again later");
        };
    }

    /** Records a checked peer. */
    public void put(Peer checked) {
        known();
        store.put(checked);
        known.put(checked.id(), checked);
        heldUpSince.remove(checked.id());
    }

    /** Returns the version with which a new cluster begins: one more than the last version under the same name, so that versions rise. */
    public int firstVersion(ClusterId id) {
        var last = store.lastVersion(id);
        return last.isPresent() ? last.getAsInt() + 1 : 0;
    }

    public void remove(ClusterId id) {
        store.remove(id);
        known.remove(id);
    }

    /** Reads all cards again. */
    public void refresh() {
        for (var peer : all()) {
            if (card(peer) instanceof Outcome.Done(var answering)) {
                known.computeIfPresent(
                        peer.id(), (_, present) -> present.version() == answering.version() ? answering : present);
            }
        }
    }

    /** Posts to a peer, unless it was silent or slow just now. */
    public Reply ask(Peer peer, String path, JsonNode body) {
        long begin = clock.instant().getEpochSecond();
        var since = heldUpSince.get(peer.id());
        if (since != null && begin - since < SULK && begin >= since) {
            return new Reply.Silent("it was silent or slow a moment ago");
        }
        long before = threads.nanoTime();
        var reply =
                client.post(peer.url(), peer.token(), path, Optional.of(body), OptionalInt.empty(), Optional.empty());
        if (reply instanceof Reply.Silent || threads.nanoTime() - before > SLOW.toNanos()) {
            heldUpSince.put(peer.id(), clock.instant().getEpochSecond());
        } else {
            heldUpSince.remove(peer.id());
        }
        return reply;
    }

    /** Posts a body with an idempotency key. */
    public Reply post(Peer peer, String path, JsonNode body, String key) {
        return client.post(peer.url(), peer.token(), path, Optional.of(body), OptionalInt.empty(), Optional.of(key));
    }

    /**
     * Performs an action on the resource at a path.
     *
     * @param version the required version; empty for any
     */
    public Reply act(Peer peer, String path, OptionalInt version, Optional<String> key) {
        return client.post(peer.url(), peer.token(), path, Optional.empty(), version, key);
    }

    public Reply get(Peer peer, String path) {
        return client.get(peer.url(), peer.token(), path);
    }
}
