package berth.engine;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.batch.Jobs;
import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.engine.Records.FirstResult.KeyResult;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.runtime.StorageUnavailable;
import berth.scheduling.Allowance.PastRun;
import berth.scheduling.Event;
import berth.scheduling.Event.BudgetEvent;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.DelayEvent;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.JobsEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.RequestEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.AccountName;
import berth.sla.Part;
import berth.time.Slot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** A ledger in memory that fulfils the contract and fails on request. */
public final class MemoryLedger implements Ledger, Records {

    /** The fate of the next commit. */
    enum Fault {
        /** It succeeds. */
        NONE,
        /** It fails and says so. */
        FAILS,
        /** It succeeds, but the answer is lost. */
        ANSWER_LOST,
        /** It fails, and the answer is lost. */
        FAILS_AND_ANSWER_LOST
    }

    final List<Batch> recorded = new ArrayList<>();
    final Deque<Fault> faults = new ArrayDeque<>();

    /** Errors that the next commits throw against the contract. */
    final Deque<Error> crashes = new ArrayDeque<>();

    /** Exceptions that the next attempts to resolve a doubt throw against the contract. */
    final Deque<RuntimeException> resolveCrashes = new ArrayDeque<>();

    /** How many of the next attempts to resolve a doubt fail. */
    volatile int resolveFailures;

    /** Commits wait here while a test has taken the permits. */
    final Semaphore open = new Semaphore(1);

    /** Whether counting refusals fails. */
    volatile boolean failsToCount;

    private final Map<ClusterId, Standing> standings = new LinkedHashMap<>();
    private final Map<ReservationId, Reservation> reservations = new LinkedHashMap<>();
    private final Map<OutageId, Outage> outages = new LinkedHashMap<>();
    private final Map<ReservationId, IntakeRequest> requests = new LinkedHashMap<>();
    private final Map<String, FirstResult> keys = new HashMap<>();
    private final Map<Refusals, Long> refused = new HashMap<>();
    private BiFunction<AccountName, Long, List<Part>> mirrored = (_, _) -> List.of();

    /** The recorded state of a cluster and its writer. */
    private static final class Standing {
        private Cluster cluster;
        private Jobs jobs = Jobs.NONE;
        private final List<Event> history = new ArrayList<>();
        private long epoch;
        private boolean isReplaced;

        Standing(Cluster cluster) {
            this.cluster = cluster;
        }
    }

    public MemoryLedger(Cluster... clusters) {
        for (var cluster : clusters) {
            standings.put(cluster.id(), new Standing(cluster));
        }
    }

    private Standing standing(ClusterId cluster) {
        return Objects.requireNonNull(standings.get(cluster));
    }

    /** Simulates that another process has taken over all clusters. */
    synchronized void takeOverByAnother() {
        standings.values().forEach(standing -> {
            standing.isReplaced = true;
            standing.epoch++;
        });
    }

    /** Returns the epoch of the cluster's writer. */
    public synchronized long epoch(ClusterId cluster) {
        return standing(cluster).epoch;
    }

    /** Records the result of a key. */
    public synchronized void file(KeyUse use, UUID id) {
        keys.put(use.account() + " " + use.key(), new FirstResult(use.fingerprint(), new KeyResult.Filed(id)));
    }

    /** Removes the keys whose result has that id; for a collected request, only the given key. */
    public synchronized void forget(UUID id, String own) {
        boolean isCollected = requests.containsKey(new ReservationId(id));
        keys.entrySet()
                .removeIf(used -> used.getValue().stands().equals(new KeyResult.Filed(id))
                        && (!isCollected || used.getKey().endsWith(own)));
    }

    /** Records the result of a request without a cluster. */
    public synchronized void collect(IntakeRequest request) {
        requests.put(request.id(), request);
    }

    @Override
    public List<Part> mirrored(AccountName owner, long now) {
        return mirrored.apply(owner, now);
    }

    @Override
    public synchronized List<PastRun> ended(AccountName owner, long since, int most) {
        return reservations.values().stream()
                .filter(reservation -> reservation.origin().owner().equals(owner)
                        && !reservation.state().isLive()
                        && reservation.status().updatedAt() > since)
                .map(reservation -> new PastRun(reservation.id(), reservation.occupied()))
                .filter(run -> !run.parts().isEmpty())
                .limit(most)
                .toList();
    }

    /** Sets where to find reservations at other Berths. */
    public void countMirrored(BiFunction<AccountName, Long, List<Part>> counted) {
        mirrored = counted;
    }

    @Override
    public synchronized List<Cluster> clusters() {
        return standings.values().stream().map(standing -> standing.cluster).toList();
    }

    @Override
    public boolean create(Cluster created, Optional<KeyUse> key) {
        throw notNeeded();
    }

    @Override
    public synchronized Recovered takeOver(ClusterId cluster) {
        var standing = standing(cluster);
        standing.epoch++;
        standing.isReplaced = false;
        return new Recovered(
                standing.cluster,
                standing.epoch,
                standing.history.size(),
                standing.history.isEmpty() ? 0 : standing.history.getLast().at(),
                reservations.values().stream()
                        .filter(reservation -> reservation.cluster().equals(cluster)
                                && (reservation.state().isLive()
                                        || !reservation.charge().openReturns().isEmpty()))
                        .toList(),
                outages.values().stream()
                        .filter(outage -> outage.cluster().equals(cluster)
                                && outage.endedAt().isEmpty())
                        .toList(),
                List.copyOf(standing.jobs.all()),
                requests.values().stream()
                        .filter(request -> request.cluster().equals(Optional.of(cluster)) && request.isOpen())
                        .toList());
    }

    @Override
    public Outcome append(Batch batch) {
        open.acquireUninterruptibly();
        try {
            synchronized (this) {
                return appended(batch);
            }
        } finally {
            open.release();
        }
    }

    private Outcome appended(Batch batch) {
        var standing = standing(batch.cluster());
        if (batch.epoch() != standing.epoch || batch.sequence() != standing.history.size()) {
            return new Outcome.Fenced();
        }
        if (!crashes.isEmpty()) {
            throw crashes.poll();
        }
        var fault = faults.isEmpty() ? Fault.NONE : faults.poll();
        if (fault == Fault.FAILS) {
            return new Outcome.Failed(new IllegalStateException("as the test wants it"));
        }
        if (fault != Fault.FAILS_AND_ANSWER_LOST) {
            record(batch, standing);
        }
        return fault == Fault.NONE
                ? new Outcome.Committed()
                : new Outcome.Unknown(new IllegalStateException("as the test wants it"));
    }

    private void record(Batch batch, Standing standing) {
        recorded.add(batch);
        for (var event : batch.events()) {
            standing.history.add(event);
            switch (event) {
                case ReservationEvent(var _, var reservation, var _, var _, var _, var _) ->
                    reservations.put(reservation.id(), reservation);
                case ClusterEvent(var _, var changed, var _) -> standing.cluster = changed;
                case OutageEvent(var _, var outage, var _) -> outages.put(outage.id(), outage);
                case JobEvent(var _, var job, var _) -> standing.jobs = standing.jobs.with(job);
                case JobsEvent(var jobs, var _) -> {
                    standing.jobs = Jobs.NONE;
                    jobs.forEach(job -> standing.jobs = standing.jobs.with(job));
                }
                case RequestEvent(var _, var request, var _) -> requests.put(request.id(), request);
                case DelayEvent _, BudgetEvent _ -> {}
            }
        }
        for (var key : batch.keys()) {
            var first = new KeyResult.Happened(standing.history.get((int) key.sequence() - 1));
            keys.put(
                    key.use().account() + " " + key.use().key(),
                    new FirstResult(key.use().fingerprint(), first));
        }
    }

    @Override
    public synchronized Ledger.Standing resolve(ClusterId cluster) {
        if (!resolveCrashes.isEmpty()) {
            throw resolveCrashes.poll();
        }
        if (resolveFailures > 0) {
            resolveFailures--;
            throw new StorageUnavailable(new IllegalStateException("as the test wants it"));
        }
        var standing = standing(cluster);
        return standing.isReplaced
                ? new Ledger.Standing.Fenced()
                : new Ledger.Standing.Writer(++standing.epoch, standing.history.size());
    }

    @Override
    public synchronized void countRefusals(ClusterId cluster, Map<Refusals, Long> refusals) {
        if (failsToCount) {
            throw new StorageUnavailable(new IllegalStateException("as the test wants it"));
        }
        refusals.forEach((refusal, number) -> refused.merge(refusal, number, Long::sum));
    }

    /** Returns how many requests were refused on all clusters. */
    synchronized Map<Refusals, Long> refused() {
        return Map.copyOf(refused);
    }

    /** Returns all events of a cluster in order. */
    public synchronized List<Event> history(ClusterId cluster) {
        return List.copyOf(standing(cluster).history);
    }

    /** Returns all reservations in their present states. */
    public synchronized List<Reservation> reservations() {
        return List.copyOf(reservations.values());
    }

    /** Returns all collected, waiting and refused requests in their present states. */
    public synchronized List<IntakeRequest> requests() {
        return List.copyOf(requests.values());
    }

    @Override
    public synchronized void usedKeys(BiConsumer<AccountName, String> each) {
        keys.keySet().stream()
                .map(key -> key.split(" ", 2))
                .forEach(key -> each.accept(new AccountName(key[0]), key[1]));
    }

    @Override
    public synchronized Optional<FirstResult> firstResult(AccountName account, String key) {
        return Optional.ofNullable(keys.get(account + " " + key));
    }

    @Override
    public synchronized Optional<Reservation> find(ReservationId id) {
        return Optional.ofNullable(reservations.get(id));
    }

    @Override
    public synchronized Optional<Outage> find(OutageId id) {
        return Optional.ofNullable(outages.get(id));
    }

    @Override
    public Map<ClusterId, Long> lastSequences(Whose whose) {
        throw notNeeded();
    }

    @Override
    public synchronized Optional<IntakeRequest> collected(ReservationId id) {
        return Optional.ofNullable(requests.get(id));
    }

    @Override
    public Optional<BatchJob> find(JobId id) {
        throw notNeeded();
    }

    @Override
    public List<BatchJob> jobs(ClusterId cluster, JobFilter filter, Optional<JobPosition> after, int limit) {
        throw notNeeded();
    }

    @Override
    public List<BatchJob> running(ClusterId cluster, Slot range, Whose whose, int limit) {
        throw notNeeded();
    }

    /** No other writer exists unless a test makes one. */
    @Override
    public void requireWriter() {}

    @Override
    public List<RecordedEvent> events(ReservationId reservation, long after, int limit) {
        throw notNeeded();
    }

    @Override
    public List<RecordedEvent> events(Map<ClusterId, Long> positions, Whose whose, int limit) {
        throw notNeeded();
    }

    @Override
    public Map<ClusterId, Long> positionsBefore(long time) {
        throw notNeeded();
    }

    @Override
    public List<RecordedEvent> events(ClusterId cluster, long sequence, Whose whose, int limit) {
        throw notNeeded();
    }

    @Override
    public long awaitMore(long seen, Duration patience) {
        throw notNeeded();
    }

    @Override
    public long lastSequence(ClusterId cluster) {
        throw notNeeded();
    }

    @Override
    public synchronized List<Renegotiation> renegotiations(ReservationId reservation, OptionalLong before, int limit) {
        var all = new ArrayDeque<Renegotiation>();
        Optional<Reservation> last = Optional.empty();
        for (var happened : happened(reservation)) {
            var now = happened.reservation();
            switch (happened.type()) {
                case RENEGOTIATED ->
                    all.push(new Renegotiation.Agreement(now, last.orElseThrow().price()));
                case PROPOSED -> all.push(new Renegotiation.Offer(now, Optional.empty()));
                case ACCEPTED, DECLINED -> {
                    var offered = (Renegotiation.Offer) all.pop();
                    boolean isAccepted = happened.type() == Event.Type.ACCEPTED;
                    var reply = new Reply(isAccepted, now, last.orElseThrow().price());
                    all.push(new Renegotiation.Offer(offered.offered(), Optional.of(reply)));
                }
                default -> {
                    // nothing was agreed
                }
            }
            last = Optional.of(now);
        }
        return all.stream()
                .filter(each -> before.isEmpty() || each.number() < before.getAsLong())
                .limit(limit)
                .toList();
    }

    private List<ReservationEvent> happened(ReservationId reservation) {
        return standings.values().stream()
                .flatMap(standing -> standing.history.stream())
                .filter(ReservationEvent.class::isInstance)
                .map(ReservationEvent.class::cast)
                .filter(event -> event.reservation().id().equals(reservation))
                .toList();
    }

    @Override
    public List<Reservation> occupying(ClusterId cluster, Slot range, Whose whose, int limit) {
        throw notNeeded();
    }

    @Override
    public void occupied(ClusterId cluster, Slot range, Whose whose, Consumer<Occupied> each) {
        throw notNeeded();
    }

    @Override
    public List<Sum> revenue(ClusterId cluster, Slot range, Whose whose, Optional<Grouping> by, int most) {
        throw notNeeded();
    }

    @Override
    public List<Owed> owed(ClusterId cluster, Whose whose, Optional<Grouping> by, int most) {
        throw notNeeded();
    }

    @Override
    public List<Outage> outages(ClusterId cluster, Optional<OutageId> olderThan, int limit) {
        throw notNeeded();
    }

    @Override
    public List<Outage> outages(ClusterId cluster, Slot range) {
        throw notNeeded();
    }

    @Override
    public List<Outage> latestOutages(ClusterId cluster, long from, int limit) {
        throw notNeeded();
    }

    @Override
    public Statistics statistics(ClusterId cluster, Slot range) {
        throw notNeeded();
    }

    private static AssertionError notNeeded() {
        return new AssertionError("no desk needs this");
    }
}
