package berth.desk;

import berth.scheduling.AdvanceClock;
import berth.scheduling.Cluster;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Command;
import berth.scheduling.Reserve;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The desks of all clusters: the way in for every command. Safe to use from any thread. */
public final class Desks implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Desks.class);

    private final Ledger ledger;
    private final Records records;
    private final InstantSource clock;
    private final Duration patience;
    private final Map<String, Desk> desks = new ConcurrentHashMap<>();
    private final List<Cluster> clusters = new CopyOnWriteArrayList<>();

    /** Requests with a key that are under way: a key is worked on by one of them at a time. */
    private final Map<AccountKey, CountDownLatch> underWay = new ConcurrentHashMap<>();

    private volatile boolean recovered;

    private record AccountKey(String account, String key) {}

    /**
     * @param patience how long a client waits for its turn, and then again for the outcome
     */
    public Desks(Ledger ledger, Records records, InstantSource clock, Duration patience) {
        this.ledger = ledger;
        this.records = records;
        this.clock = clock;
        this.patience = patience;
    }

    /**
     * Takes over every cluster and rebuilds its schedule from what is recorded.
     *
     * @throws IllegalStateException if the records of a cluster break a rule of the schedule, naming the reservation
     */
    public void recover() {
        for (var cluster : ledger.clusters()) {
            open(cluster.id());
        }
        recovered = true;
    }

    /** Whether the desks have been opened. */
    public boolean isRecovered() {
        return recovered;
    }

    /** The clusters that take no more commands, and why. */
    public Map<String, String> closed() {
        var closed = new TreeMap<String, String>();
        desks.forEach((cluster, desk) -> desk.closed().ifPresent(reason -> closed.put(cluster, reason)));
        return closed;
    }

    private void open(String cluster) {
        var standing = ledger.takeOver(cluster);
        var desk = new Desk(standing, ledger, clock, patience);
        log.info(
                "Cluster {} is open: {} live reservations, {} events, epoch {}.",
                cluster,
                standing.live().size(),
                standing.sequence(),
                standing.epoch());
        desk.open();
        desks.put(cluster, desk);
        clusters.addFirst(standing.cluster());
    }

    /** The clusters, newest first. */
    public List<Cluster> clusters() {
        return List.copyOf(clusters);
    }

    /** The last applied schedule of a cluster; empty if there is no such cluster. */
    public Optional<ClusterSchedule> schedule(String cluster) {
        return Optional.ofNullable(desks.get(cluster)).map(Desk::schedule);
    }

    /** What became of a request for a new cluster. */
    public sealed interface Creation {
        /** It is there, now or since the same request came before. */
        record Created(Cluster cluster) implements Creation {}

        /** There is one of that id already. */
        record Exists() implements Creation {}

        /** The key was used before, for another request. */
        record KeyReused() implements Creation {}
    }

    /** Creates a cluster and opens its desk, also that of one whose creation was recorded but never answered. */
    public synchronized Creation create(Cluster cluster, Optional<KeyUse> key) {
        var first = key.flatMap(use -> records.firstResult(use.account(), use.key()));
        if (first.isPresent()
                && !first.get().fingerprint().equals(key.orElseThrow().fingerprint())) {
            return new Creation.KeyReused();
        }
        boolean isNew = first.isEmpty() && ledger.create(cluster, key);
        if (!desks.containsKey(cluster.id())) {
            open(cluster.id());
        }
        return isNew || first.isPresent() ? new Creation.Created(cluster) : new Creation.Exists();
    }

    /**
     * Decides a command on a cluster, which must exist, and waits until it is recorded.
     *
     * @throws IllegalStateException if the decision failed for a reason of our own
     */
    public Answer decide(String cluster, Command command) {
        return desk(cluster).submit(command, Optional.empty()).await(patience);
    }

    /** As {@link #decide}, but a request that was granted before under the same key hears the same again. */
    public Answer decide(String cluster, Reserve command, KeyUse key) {
        var id = new AccountKey(key.account(), key.key());
        var mine = new CountDownLatch(1);
        try {
            for (var other = underWay.putIfAbsent(id, mine); other != null; other = underWay.putIfAbsent(id, mine)) {
                if (!other.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                    return new Answer.Unavailable(
                            "A request with the same Idempotency-Key is still under way;" + " repeat this one later.");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer.Unavailable("The service is shutting down; repeat the request once it is back.");
        }
        return decideOnce(cluster, command, key, () -> {
            underWay.remove(id);
            mine.countDown();
        });
    }

    private Answer decideOnce(String cluster, Reserve command, KeyUse key, Runnable release) {
        Pending pending;
        try {
            var first = records.firstResult(key.account(), key.key());
            if (first.isPresent()) {
                release.run();
                return repeated(first.get(), key);
            }
            pending = desk(cluster).submit(command, Optional.of(key));
        } catch (RuntimeException e) {
            release.run();
            throw e;
        }
        // the key is free again once the outcome is known, even if the client has given up by then
        pending.answer().whenComplete((answer, failure) -> release.run());
        return pending.await(patience);
    }

    private static Answer repeated(Records.FirstResult first, KeyUse key) {
        return first.fingerprint().equals(key.fingerprint())
                ? first.event()
                        .<Answer>map(event -> new Answer.Done(List.of(event)))
                        .orElseGet(Answer.KeyReused::new)
                : new Answer.KeyReused();
    }

    /** Returns once every desk has done what was due when this was called. For clocks that do not run by themselves. */
    public void settle() {
        desks.values()
                .forEach(desk ->
                        desk.submit(new AdvanceClock(1), Optional.empty()).await(patience));
    }

    Desk desk(String cluster) {
        var desk = desks.get(cluster);
        if (desk == null) {
            throw new IllegalArgumentException("There is no cluster %s.".formatted(cluster));
        }
        return desk;
    }

    /** Closes every desk; what was answered is recorded, what still waits is refused. */
    @Override
    public void close() {
        desks.values().forEach(Desk::close);
    }
}
