package berth.engine;

import berth.budget.Funds;
import berth.cluster.Cluster;
import berth.engine.Ledger.Recovered;
import berth.engine.Ledger.Standing;
import berth.engine.Records.FirstResult.KeyResult;
import berth.intake.IntakeRequest;
import berth.outcome.Outcome;
import berth.outcome.Refusal;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.runtime.Gate;
import berth.runtime.PeriodicCheck;
import berth.runtime.StorageUnavailable;
import berth.runtime.Threads;
import berth.scheduling.Approvals;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Leads;
import berth.scheduling.Rejection;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.ChangeCluster;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Reserve;
import berth.scheduling.places.Effects;
import berth.sla.AccountName;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The desks of all clusters, which receive every command. Bookings reach them through {@link AdmissionControl}. Thread-safe.
 */
public final class Desks implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Desks.class);

    /** The most attempts at a change of a cluster while others change it at the same time. */
    private static final int ATTEMPTS = 5;

    /** The pause after a failed look at the clock. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** The most computations of one account that wait, besides the one in progress. */
    static final int MAX_WAITING = 64;

    private final Ledger ledger;
    private final Threads threads;
    private final InstantSource clock;
    private final Duration patience;
    private final MeterRegistry registry;
    private final Map<ClusterId, Desk> desks = new ConcurrentHashMap<>();
    /** Newest first. */
    private final List<ClusterId> clusters = new CopyOnWriteArrayList<>();

    /** Where computations run that are too long for a desk. */
    private final Gate searches;

    private final Keys keys;

    private final BookingLimits limits;

    private final Budgets budgets;

    /** Looks at the clock, which may have been set forward, each second for all desks, so that a desk without work need not. */
    private final PeriodicCheck clockCheck;

    /** Called when a cluster has collected requests. */
    private volatile Runnable collected = () -> {};

    /** Called with a request that has ended without a reservation. */
    private volatile Consumer<IntakeRequest> refused = _ -> {};

    private volatile Leads.Requests leads = Leads.Requests.NOTHING;

    private volatile boolean recovered;
    private volatile Optional<String> closed = Optional.empty();

    /**
     * Creates the desks.
     *
     * @param patience how long a client waits for a computation beside the desks, for its turn, and again for the result
     * @param registry the registry for the desks' meters
     */
    public Desks(
            Ledger ledger,
            Records records,
            Budgets budgets,
            Threads threads,
            InstantSource clock,
            Duration patience,
            MeterRegistry registry) {
        this.budgets = budgets;
        this.ledger = ledger;
        this.threads = threads;
        this.clock = clock;
        this.patience = patience;
        this.registry = registry;
        this.clockCheck = new PeriodicCheck(threads, "looks at the clock", RETRY, this::lookAtClock);
        this.keys = new Keys(ledger, records, threads, clock, patience);
        Gauge.builder("berth.keys.remembered", keys, Keys::remembered)
                .description(
                        "Idempotency keys of the last day that are in memory, so that a new key needs no query. Beyond 2,000,000"
                                + " Berth drops the oldest and looks every key up until those have expired.")
                .baseUnit("keys")
                .register(registry);
        this.limits = new BookingLimits(this::schedules, records, threads, clock, patience);
        this.searches = new Gate(
                "search",
                // leaves a processor for everything else
                Math.max(1, threads.processors() - 1),
                1,
                MAX_WAITING,
                threads,
                patience,
                Timer.builder("berth.computations")
                        .description(
                                "Time for a computation outside the desk (whether waiting reservations can make room, alternatives,"
                                        + " dry runs), without the wait for its turn.")
                        .register(registry));
        Gauge.builder("berth.computations.waiting", searches, Gate::waiting)
                .description(
                        "Computations that wait for their turn. Accounts take turns; each may have 64 waiting, all together 4,096;"
                                + " Berth refuses more with 429.")
                .baseUnit("computations")
                .register(registry);
    }

    /**
     * Takes over every cluster, rebuilds its schedule from the records, and handles what is due. May be repeated after a failure; open
     * desks stay open.
     *
     * @param first the cluster to create if there is none
     * @throws IllegalStateException if the records of a cluster break a rule of the schedule; the message names the reservation
     */
    public void recover(Cluster first) {
        var recorded = ledger.clusters().stream().map(Cluster::id).toList();
        takeOver(recorded.stream().filter(id -> !desks.containsKey(id)).toList());
        recorded.stream().filter(id -> !clusters.contains(id)).forEach(clusters::addFirst);
        if (clusters.isEmpty()) {
            create(first, Optional.empty());
            log.info(
                    "Created the cluster {}, for first steps. To look at a Berth with people and reservations, start one with BERTH_DEMO=true.",
                    first.id());
        }
        budgets.load(clock.instant().getEpochSecond());
        catchUp();
        keys.recall();
        if (!recovered) {
            clockCheck.start();
        }
        recovered = true;
    }

    /** Takes over as many clusters at a time as there are processors. After a failure it continues with one cluster fewer at a time. */
    private void takeOver(List<ClusterId> wanted) {
        var next = new ConcurrentLinkedQueue<>(wanted);
        Runnable opener = () -> {
            for (var cluster = next.poll(); cluster != null; cluster = next.poll()) {
                open(ledger.takeOver(cluster));
            }
        };
        threads.together(Collections.nCopies(Math.min(threads.processors(), wanted.size()), opener));
    }

    /** Returns the handling of idempotency keys. */
    public Keys keys() {
        return keys;
    }

    /** Returns the handling of accounts' limits. */
    public BookingLimits limits() {
        return limits;
    }

    /** Returns the budgets of projects. */
    public Budgets budgets() {
        return budgets;
    }

    /**
     * Applies requested leads from now on; each desk uses them within a second. If called before the desks open, announcements that became
     * due before are made too.
     */
    public void announce(Leads.Requests asked) {
        // the desks compare the object, so the same leads must stay the same object
        if (!asked.equals(leads)) {
            leads = asked;
        }
    }

    /** Calls {@code collected} whenever a cluster has recorded something while requests await their round there. */
    void whenCollected(Runnable collected) {
        this.collected = collected;
    }

    /**
     * Calls {@code refused} with each request that was rejected later than in the call that made it, or whose wait for room has ended, once
     * that is recorded. It is called by the desks, and must return at once.
     */
    public void whenRefused(Consumer<IntakeRequest> refused) {
        this.refused = refused;
    }

    /** Returns the schedules with requests that await their round. */
    List<ClusterSchedule> collecting() {
        return desks.values().stream()
                .map(Desk::schedule)
                .filter(schedule -> !schedule.requests().isEmpty())
                .toList();
    }

    /** Wakes the desks for which something is due earlier than they expected. Nothing else is waited for. */
    private boolean lookAtClock() {
        long time = clock.instant().getEpochSecond();
        desks.values().forEach(desk -> desk.look(time));
        return false;
    }

    /** Whether the desks have been opened. */
    public boolean isRecovered() {
        return recovered;
    }

    /** Whether automatic work may be done: the desks have been opened and not closed since. */
    public boolean isWorking() {
        return recovered && closed.isEmpty();
    }

    /** Returns why nothing is decided or created any more; empty if the desks are open. */
    public Optional<String> closed() {
        return closed;
    }

    /** Returns why the desk of a cluster takes no more commands; empty if it does or the cluster does not exist. */
    public Optional<String> closed(ClusterId cluster) {
        return Optional.ofNullable(desks.get(cluster)).flatMap(Desk::closed);
    }

    /** Returns why desks do not work as they should, for each cluster with such a problem. */
    public Map<ClusterId, String> troubles() {
        var troubles = new TreeMap<ClusterId, String>(Comparator.comparing(ClusterId::value));
        desks.forEach((cluster, desk) -> desk.trouble().ifPresent(why -> troubles.put(cluster, why)));
        return troubles;
    }

    /** Returns why only a new process may help a desk that has worked in this one; empty if all desks work or may do so again. */
    public Optional<String> lost() {
        return closed.isPresent()
                ? Optional.empty()
                : desks.entrySet().stream()
                        .flatMap(entry -> entry.getValue().lost().stream()
                                .map(why -> "Cluster %s: %s".formatted(entry.getKey(), why)))
                        .findAny();
    }

    /** Whether at least one desk works as it should. */
    public boolean isHealthy() {
        return closed.isEmpty() && troubles().size() < desks.size();
    }

    private void open(Recovered standing) {
        var cluster = standing.cluster();
        var desk = new Desk(
                standing,
                ledger,
                threads,
                clock,
                () -> leads,
                () -> collected.run(),
                request -> refused.accept(request),
                patience,
                registry,
                owner -> limits.enterAtOnce(cluster.id(), owner),
                owner -> pendingElsewhere(cluster.id(), owner),
                budgets);
        log.info(
                "Cluster {} is open: {} live reservations, {} events, epoch {}.",
                cluster.id(),
                standing.live().size(),
                standing.sequence(),
                standing.epoch());
        desk.open();
        desks.put(cluster.id(), desk);
        closed.ifPresent(desk::close);
    }

    /** Returns the clusters, newest first. */
    public List<Cluster> clusters() {
        return clusters.stream().map(id -> desk(id).schedule().cluster()).toList();
    }

    /** Returns the clusters that are not retired, newest first. */
    public List<Cluster> clustersInUse() {
        return clusters().stream().filter(cluster -> !cluster.isRetired()).toList();
    }

    /** Returns the last applied schedule of a cluster; empty if the cluster does not exist. */
    public Optional<ClusterSchedule> schedule(ClusterId cluster) {
        return Optional.ofNullable(desks.get(cluster)).map(Desk::schedule);
    }

    private List<ClusterSchedule> schedules() {
        return desks.values().stream().map(Desk::schedule).toList();
    }

    /** Returns how many reservations of an account wait for approval on all clusters but one, as far as that is recorded. */
    private long pendingElsewhere(ClusterId here, AccountName owner) {
        return schedules().stream()
                .filter(schedule -> !schedule.cluster().id().equals(here))
                .mapToLong(schedule -> Approvals.pending(schedule, owner))
                .sum();
    }

    /** Returns a live reservation as of the last recorded command; empty if no open desk has it. */
    public Optional<Reservation> live(ReservationId id) {
        return desks.values().stream()
                .filter(desk -> desk.closed().isEmpty())
                .flatMap(desk -> desk.schedule().find(id).stream())
                .findAny();
    }

    /**
     * Creates a cluster and opens its desk. It also opens the desk of a cluster whose creation was recorded but never answered.
     *
     * @throws StorageUnavailable if the database does not answer; repeating the request gives the result
     */
    public Outcome<Cluster, Answer> create(Cluster cluster, Optional<KeyUse> key) {
        return keys.once(
                key,
                first -> Optional.of(
                        first instanceof KeyResult.Created
                                ? opened(cluster, key, false)
                                : new Outcome.NotDone<>(new Answer.KeyReused())),
                Outcome.NotDone::new,
                _ -> opened(cluster, key, true));
    }

    /**
     * Opens the desk of a cluster.
     *
     * @param isNew whether the cluster must be created; if not, it was created under the same key, but its desk may not have been opened
     */
    private synchronized Outcome<Cluster, Answer> opened(Cluster cluster, Optional<KeyUse> key, boolean isNew) {
        if (closed.isPresent()) {
            return new Outcome.NotDone<>(new Answer.NotDecided(closed.get()));
        }
        boolean isCreated = isNew && ledger.create(cluster, key);
        if (!desks.containsKey(cluster.id())) {
            if (!(ledger.resolve(cluster.id()) instanceof Standing.Writer(long epoch, long sequence))) {
                return new Outcome.NotDone<>(
                        new Answer.NotDecided("Another process has created the cluster; this one must be restarted."));
            }
            open(new Recovered(recorded(cluster.id()), epoch, sequence, 0, List.of(), List.of(), List.of(), List.of()));
            clusters.addFirst(cluster.id());
        }
        return isCreated || !isNew
                ? new Outcome.Done<>(cluster)
                : new Outcome.NotDone<>(new Answer.Declined(new Refusal.Exists(
                        "id", cluster.id().value(), "Choose another id, or use the existing cluster.")));
    }

    /**
     * Changes a cluster, which must exist. If others change it at the same time, the change is repeated on the cluster as they left it.
     *
     * @param versions the versions of the cluster that may be changed
     * @param change returns the changed cluster; its version is ignored. Exceptions from it are passed on
     * @return the answer of the desk; a {@link Rejection.StaleVersion} also if others kept changing the cluster
     */
    public Answer change(ClusterId id, IntPredicate versions, UnaryOperator<Cluster> change) {
        for (int attempt = 1; ; attempt++) {
            var before = desk(id).schedule().cluster();
            if (!versions.test(before.version())) {
                return new Answer.Refused(new Rejection.StaleVersion(before.version()));
            }
            var answer = decide(id, new ChangeCluster(before, change.apply(before)));
            boolean hasChanged = answer instanceof Answer.Refused(Rejection.StaleVersion(int _));
            if (!hasChanged || attempt == ATTEMPTS) {
                return answer;
            }
        }
    }

    /** Returns the cluster as recorded, which an earlier request may have created with other figures. */
    private Cluster recorded(ClusterId id) {
        return ledger.clusters().stream()
                .filter(cluster -> cluster.id().equals(id))
                .findAny()
                .orElseThrow();
    }

    /**
     * Decides a command on a cluster, which must exist, and waits until it is recorded.
     *
     * @throws IllegalStateException if the decision failed because of an error in Berth
     */
    public Answer decide(ClusterId cluster, Command command) {
        return desk(cluster).submit(command, Optional.empty()).await(threads, patience);
    }

    /** Whether the result of every command to a cluster is known. After a failure that is so once its desk decides again. */
    public boolean isNothingInDoubt(ClusterId cluster) {
        return decide(cluster, new AdvanceClock(1)) instanceof Answer.Done;
    }

    /** Decides as {@link #decide(ClusterId, Command)}. A request that was granted before under the same key gets the same answer. */
    public Answer decide(ClusterId cluster, Command command, Optional<KeyUse> key) {
        return keys.once(key, turn -> decide(cluster, command, turn));
    }

    /** Decides as {@link #decide(ClusterId, Command)}, in the turn of a key. */
    public Answer decide(ClusterId cluster, Command command, Keys.Turn turn) {
        return turn.lastsFor(desk(cluster).submit(command, turn.use())).await(threads, patience);
    }

    /** Decides a command on a snapshot, in the turn of that account. Changes nothing. */
    public Trial trial(ClusterId cluster, AccountName account, Command command) {
        return trial(cluster, account, Optional.empty(), command::decide);
    }

    /** Decides on a snapshot with those funds of projects, or the present ones if empty. */
    Trial trial(ClusterId cluster, AccountName account, Optional<Funds> funds, Function<Basis, Decision> command) {
        var desk = desk(cluster);
        var outlook = desk.outlook();
        var basis = outlook.funded(funds.orElseGet(() -> budgets.funds(outlook.now())));
        var closed = desk.closed();
        if (closed.isPresent()) {
            return new Trial(new Answer.NotDecided(closed.get()), basis.schedule(), Effects.NONE);
        }
        return searches.compute(account, () -> Trial.of(command.apply(basis), basis));
    }

    /** Returns the gate at which computations run that are too long for a desk. */
    public Gate searches() {
        return searches;
    }

    /** Returns the basis for decisions on a cluster; empty if the cluster does not exist. */
    public Optional<Basis> outlook(ClusterId cluster) {
        return Optional.ofNullable(desks.get(cluster)).map(Desk::outlook);
    }

    /** Returns the same with the present funds of projects; empty if there is no such cluster. */
    public Optional<Basis> funded(ClusterId cluster) {
        return outlook(cluster).map(basis -> basis.funded(budgets.funds(basis.now())));
    }

    /** Counts a refusal by the last cluster that was tried, which must exist. The request does not reach its desk. */
    public void countRefusal(ClusterId cluster, Reserve refused, Rejection reason) {
        var desk = desk(cluster);
        desk.countRefusal(refused, reason, desk.outlook().now());
    }

    /** Waits for the answer as long as a client would. */
    Answer await(Pending pending) {
        return pending.await(threads, patience);
    }

    /**
     * Waits until every open desk has done what was due when this method was called, however long that takes. A desk that fails does not
     * hold up the others.
     */
    public void catchUp() {
        for (var desk : desks.values()) {
            Answer answer;
            do {
                answer = desk.submit(new AdvanceClock(1), Optional.empty()).await(threads, patience);
            } while (!(answer instanceof Answer.Done) && desk.closed().isEmpty() && !desk.hasFailed());
        }
    }

    /**
     * Records the refusals counted since the last call.
     *
     * @throws StorageUnavailable if the database does not answer; the counts are kept for the next call
     */
    public void recordRefusals() {
        desks.values().forEach(Desk::recordRefusals);
    }

    Desk desk(ClusterId cluster) {
        var desk = desks.get(cluster);
        if (desk == null) {
            throw new IllegalArgumentException("There is no cluster %s.".formatted(cluster));
        }
        return desk;
    }

    /** Closes every desk. Answered commands are recorded; waiting ones are refused. */
    @Override
    public void close() {
        close("The service is shutting down; try again once it is back.");
    }

    /** Closes every desk with a reason for later callers. */
    public void close(String why) {
        if (closed.isEmpty()) {
            closed = Optional.of(why);
        }
        desks.values().forEach(desk -> desk.close(why));
        desks.values().forEach(Desk::awaitClosed);
        clockCheck.close();
        searches.close();
        try {
            recordRefusals();
        } catch (RuntimeException e) {
            log.warn("The last rejections could not be counted: {}", e.toString());
        }
    }
}
