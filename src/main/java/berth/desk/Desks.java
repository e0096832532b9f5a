package berth.desk;

import berth.cluster.Cluster;
import berth.cluster.Juggling;
import berth.desk.Booking.IfRefused;
import berth.desk.Ledger.Recovered;
import berth.desk.Ledger.Standing;
import berth.desk.Pending.Reach;
import berth.desk.Records.FirstResult.Stands;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.AdvanceClock;
import berth.scheduling.Allowance;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Command;
import berth.scheduling.Decision;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Leads;
import berth.scheduling.Probe;
import berth.scheduling.Rejection;
import berth.scheduling.Reserve;
import berth.sla.AccountName;
import berth.sla.Part;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
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
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The desks of all clusters: the way in for every command. Safe to use from any thread. */
public final class Desks implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Desks.class);

    /** How often another alternative is looked for, where others take it in the meantime. */
    private static final int ATTEMPTS = 3;

    /** What takes more looks, some ten milliseconds, is not for the desk. */
    private static final long MAX_LOOKS = 30_000;

    private final Ledger ledger;
    private final Threads threads;
    private final InstantSource clock;
    private final Duration patience;
    private final MeterRegistry registry;
    private final Map<ClusterId, Desk> desks = new ConcurrentHashMap<>();
    /** Newest first. */
    private final List<ClusterId> clusters = new CopyOnWriteArrayList<>();

    private final SideDesk sideDesk;

    private final Keys keys;

    private final Limits limits;

    private final Budgets budgets;

    private volatile Leads.Asked leads = Leads.Asked.NOTHING;

    private volatile boolean recovered;
    private volatile Optional<String> closed = Optional.empty();

    /**
     * @param patience how long a client waits for what is computed beside the desk, for its turn, and then again for the
     *     outcome
     * @param registry where the desks count what they do
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
        this.keys = new Keys(ledger, records, threads, clock, patience);
        Gauge.builder("berth.keys.remembered", keys, Keys::remembered)
                .description("Idempotency keys that are known in memory to have been used")
                .baseUnit("keys")
                .register(registry);
        this.limits = new Limits(this::schedules, records, threads, clock, patience);
        this.sideDesk = SideDesk.of(threads, patience, registry);
    }

    /**
     * Takes over every cluster, rebuilds its schedule from what is recorded, and lets happen what has fallen due. May be repeated where
     * it has failed: what is open already stays open.
     *
     * @param first created if there is no cluster at all
     * @throws IllegalStateException if the records of a cluster break a rule of the schedule, naming the reservation
     */
    public void recover(Cluster first) {
        var recorded = ledger.clusters().stream().map(Cluster::id).toList();
        takeOver(recorded.stream().filter(id -> !desks.containsKey(id)).toList());
        recorded.stream().filter(id -> !clusters.contains(id)).forEach(clusters::addFirst);
        if (clusters.isEmpty()) {
            create(first, Optional.empty());
        }
        budgets.load(clock.instant().getEpochSecond());
        catchUp();
        keys.recall();
        recovered = true;
    }

    /** Takes over as many clusters at a time as there are processors; where one cannot be, one fewer from then on. */
    private void takeOver(List<ClusterId> wanted) {
        var next = new ConcurrentLinkedQueue<>(wanted);
        Runnable opener = () -> {
            for (var cluster = next.poll(); cluster != null; cluster = next.poll()) {
                open(ledger.takeOver(cluster));
            }
        };
        threads.together(Collections.nCopies(Math.min(threads.processors(), wanted.size()), opener));
    }

    /** Who sees to it that what is asked for under a key is done once. */
    public Keys keys() {
        return keys;
    }

    /** Who keeps accounts to their limits. */
    public Limits limits() {
        return limits;
    }

    /** What projects have to spend. */
    public Budgets budgets() {
        return budgets;
    }

    /**
     * From now on starts and ends are announced as it is asked for: each desk heeds it within a second. What would have been announced
     * before the desks were opened is, if this is said before they are.
     */
    public void announce(Leads.Asked asked) {
        leads = asked;
    }

    /** Whether the desks have been opened. */
    public boolean isRecovered() {
        return recovered;
    }

    /** Whether what is still to be done may be: the desks have been opened, and not closed since. */
    public boolean isWorking() {
        return recovered && closed.isEmpty();
    }

    /** Why nothing is decided or created any more; empty as long as it is. */
    public Optional<String> closed() {
        return closed;
    }

    /** Why the desk of a cluster takes no more commands; empty while it does, or if there is no such cluster. */
    public Optional<String> closed(ClusterId cluster) {
        return Optional.ofNullable(desks.get(cluster)).flatMap(Desk::closed);
    }

    /** Why the desks of clusters record nothing; those that do are not there. */
    public Map<ClusterId, String> troubles() {
        var troubles = new TreeMap<ClusterId, String>(Comparator.comparing(ClusterId::value));
        desks.forEach((cluster, desk) -> desk.trouble().ifPresent(why -> troubles.put(cluster, why)));
        return troubles;
    }

    /** Whether there is a desk that records. */
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
                patience,
                registry,
                owner -> limits.enterAtOnce(cluster.id(), owner),
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

    /** The clusters, newest first. */
    public List<Cluster> clusters() {
        return clusters.stream().map(id -> desk(id).schedule().cluster()).toList();
    }

    /** The last applied schedule of a cluster; empty if there is no such cluster. */
    public Optional<ClusterSchedule> schedule(ClusterId cluster) {
        return Optional.ofNullable(desks.get(cluster)).map(Desk::schedule);
    }

    private List<ClusterSchedule> schedules() {
        return desks.values().stream().map(Desk::schedule).toList();
    }

    /** A live reservation as it is after the last command that is recorded; empty if no desk that takes commands has it. */
    public Optional<Reservation> live(ReservationId id) {
        return desks.values().stream()
                .filter(desk -> desk.closed().isEmpty())
                .flatMap(desk -> desk.schedule().find(id).stream())
                .findAny();
    }

    /** What became of a request for a new cluster. */
    public sealed interface Creation {
        /** It is there, now or since the same request came before. */
        record Created(Cluster cluster) implements Creation {}

        /** There is one of that id already. */
        record Exists() implements Creation {}

        /** The key was used before, for another request. */
        record KeyReused() implements Creation {}

        /** Not decided: nothing has changed. */
        record NotDecided(String why) implements Creation {}
    }

    /**
     * Creates a cluster and opens its desk, also that of one whose creation was recorded but never answered.
     *
     * @throws StorageUnavailable if the database cannot be asked; repeating the request tells what has happened
     */
    public Creation create(Cluster cluster, Optional<KeyUse> key) {
        return keys.once(
                key,
                first -> Optional.of(
                        first instanceof Stands.Created ? opened(cluster, key, false) : new Creation.KeyReused()),
                answer -> answer instanceof Answer.NotDecided(var why)
                        ? new Creation.NotDecided(why)
                        : new Creation.KeyReused(),
                _ -> opened(cluster, key, true));
    }

    /** @param isNew whether it is still to be created; if not, it was under the same key, but its desk may not have been opened */
    private synchronized Creation opened(Cluster cluster, Optional<KeyUse> key, boolean isNew) {
        if (closed.isPresent()) {
            return new Creation.NotDecided(closed.get());
        }
        boolean isCreated = isNew && ledger.create(cluster, key);
        if (!desks.containsKey(cluster.id())) {
            if (!(ledger.settle(cluster.id()) instanceof Standing.Writer(long epoch, long sequence))) {
                return new Creation.NotDecided("Another process has created it, and this one must be restarted.");
            }
            open(new Recovered(recorded(cluster.id()), epoch, sequence, 0, List.of(), List.of(), List.of(), List.of()));
            clusters.addFirst(cluster.id());
        }
        return isCreated || !isNew ? new Creation.Created(cluster) : new Creation.Exists();
    }

    /** As it was created, which an earlier request may have done with other figures. */
    private Cluster recorded(ClusterId id) {
        return ledger.clusters().stream()
                .filter(cluster -> cluster.id().equals(id))
                .findAny()
                .orElseThrow();
    }

    /**
     * Decides a command on a cluster, which must exist, and waits until it is recorded.
     *
     * @throws IllegalStateException if the decision failed for a reason of our own
     */
    public Answer decide(ClusterId cluster, Command command) {
        return desk(cluster).submit(command, Optional.empty()).await(threads, patience);
    }

    /** Whether all that a cluster was asked for is recorded or never will be: what was in doubt is known once its desk decides again. */
    public boolean isNothingInDoubt(ClusterId cluster) {
        return decide(cluster, new AdvanceClock(1)) instanceof Answer.Done;
    }

    /** As {@link #decide}; a request that was granted before under the same key hears the same again. */
    public Answer decide(ClusterId cluster, Command command, Optional<KeyUse> key) {
        return once(key, turn -> decide(cluster, command, turn));
    }

    /** As {@link #decide}, in the turn of a key. */
    public Answer decide(ClusterId cluster, Command command, Keys.Turn turn) {
        return turn.lastsFor(desk(cluster).submit(command, turn.use())).await(threads, patience);
    }

    /** As {@link #decide}, for a command by which an account has more waiting, within its limits. */
    public Answer book(ClusterId cluster, Booking booking, Optional<KeyUse> key) {
        return once(key, turn -> book(cluster, booking, turn));
    }

    /** The same in the turn of a key. */
    public Answer book(ClusterId cluster, Booking booking, Keys.Turn turn) {
        return submit(cluster, booking, Reach.ALL, turn).await(threads, patience);
    }

    private Answer once(Optional<KeyUse> key, Function<Keys.Turn, Answer> work) {
        return keys.once(key, first -> Optional.of(again(first)), answer -> answer, work);
    }

    private static Answer again(Stands first) {
        return first instanceof Stands.Happened(var event) ? new Answer.Done(List.of(event)) : new Answer.KeyReused();
    }

    /**
     * As {@link #decide}, for a command by which an account books more, within its limits. Where there is room as the others lie
     * the desk alone decides. Where there is none it is considered on a snapshot whether others can make room, and troubles the
     * desk again only if it may be granted.
     *
     * @throws SideDesk.Overloaded if too much is to be considered already; nothing has changed
     * @throws SideDesk.Unanswered if it could not be considered in time; nothing has changed
     */
    public Answer decide(ClusterId cluster, Booking booking, Optional<KeyUse> key) {
        return once(key, turn -> decide(cluster, booking, turn));
    }

    /** The same in the turn of a key. */
    public Answer decide(ClusterId cluster, Booking booking, Keys.Turn turn) {
        return atOnce(cluster, booking, turn).orElseGet(() -> considered(cluster, booking, turn));
    }

    /** What the desk alone decides; empty if it must be considered first whether there is room. */
    private Optional<Answer> atOnce(ClusterId cluster, Booking booking, Keys.Turn turn) {
        var desk = desk(cluster);
        var schedule = desk.schedule();
        var juggling = schedule.cluster().policy().juggling();
        if ((juggling == Juggling.ALWAYS || schedule.needsPlans() || isDear(desk.outlook(), booking))
                && desk.closed().isEmpty()) {
            return Optional.empty();
        }
        boolean isAll = juggling == Juggling.NEVER && booking.fallback().isEmpty();
        var pending = submit(cluster, booking, isAll ? Reach.ALL : Reach.AS_OTHERS_LIE, turn);
        var answer = pending.await(threads, patience);
        return pending.isLeft() ? Optional.empty() : Optional.of(answer);
    }

    /** Whether it may take longer to search for a place than others should wait for it. */
    private static boolean isDear(DecisionBasis outlook, Booking booking) {
        return booking.command().apply(Allowance.UNLIMITED).looks(outlook.schedule(), outlook.now()) > MAX_LOOKS;
    }

    private Answer considered(ClusterId cluster, Booking booking, Keys.Turn turn) {
        for (int attempt = 1; ; attempt++) {
            switch (consider(cluster, booking)) {
                case Considered.Hopeless(var reason) -> {
                    return new Answer.Refused(reason);
                }
                case Considered.Hopeful(var wanted, var place) -> {
                    boolean isLast = attempt == ATTEMPTS;
                    var answer = submit(cluster, isLast ? wanted : wanted.at(place), Reach.ALL, turn)
                            .await(threads, patience);
                    boolean wasTaken = answer instanceof Answer.Refused(var reason)
                            && reason.lacksRoom()
                            && (booking.fallback().isPresent() || place.isPresent());
                    if (!wasTaken || isLast) {
                        return answer;
                    }
                }
            }
        }
    }

    /** What is to be expected of a booking. */
    private sealed interface Considered {
        /**
         * It may be granted.
         *
         * @param place where that was found, if to search for it again would take long
         */
        record Hopeful(Booking booking, Optional<List<Part>> place) implements Considered {}

        /** It is refused. */
        record Hopeless(Rejection reason) implements Considered {}
    }

    private Considered consider(ClusterId cluster, Booking booking) {
        var desk = desk(cluster);
        var outlook = desk.outlook();
        long now = outlook.now();
        var schedule = outlook.schedule().funding(budgets.funds(now));
        var command = booking.command().apply(limits.allowance(cluster, booking.owner(), booking.limits()));
        // where all are placed anew for every newcomer, one that has room as they lie is granted whatever comes of that
        boolean isHopeful = schedule.cluster().policy().juggling() == Juggling.ALWAYS
                && !schedule.needsPlans()
                && command.looks(schedule, now) <= MAX_LOOKS
                && !lacksRoom(command.decideAsOthersLie(schedule, now));
        return isHopeful
                ? new Considered.Hopeful(booking, Optional.empty())
                : compute(booking.owner(), () -> consider(desk, schedule, command, booking, now));
    }

    private static boolean lacksRoom(Decision decision) {
        return decision instanceof Decision.Rejected(var reason) && reason.lacksRoom();
    }

    private static Considered consider(
            Desk desk, ClusterSchedule schedule, Command command, Booking booking, long now) {
        var decision = command.decide(schedule, now);
        if (!(decision instanceof Decision.Rejected(var reason))) {
            return new Considered.Hopeful(
                    booking, command.looks(schedule, now) > MAX_LOOKS ? place(decision) : Optional.empty());
        }
        var instead = reason.lacksRoom()
                ? booking.fallback().flatMap(fallback -> fallback.instead(schedule, now))
                : Optional.<Function<Allowance, Command>>empty();
        if (instead.isEmpty() && booking.ifRefused() == IfRefused.THE_CLIENT_IS) {
            desk.count(command, reason, now);
        }
        return instead.<Considered>map(other ->
                        new Considered.Hopeful(new Booking(booking.owner(), booking.limits(), other), Optional.empty()))
                .orElseGet(() -> new Considered.Hopeless(reason));
    }

    /** Where a reservation lies for which nobody has moved; empty if that was not all. */
    private static Optional<List<Part>> place(Decision decision) {
        return decision instanceof Decision.Accepted(var events, var _)
                        && events.size() == 1
                        && events.getFirst() instanceof ReservationEvent happened
                ? Optional.of(happened.reservation().parts())
                : Optional.empty();
    }

    /**
     * Computes on a schedule what may take long, when it is the account's turn.
     *
     * @throws SideDesk.Overloaded if too much is to be computed already
     * @throws SideDesk.Unanswered if there is no result in time
     */
    public <T> T compute(AccountName account, Supplier<T> computation) {
        return sideDesk.compute(new SideDesk.Asker.Account(account), computation);
    }

    /** The same for a round of a cluster, when it is that round's turn. */
    <T> T compute(ClusterId round, Supplier<T> computation) {
        return sideDesk.compute(new SideDesk.Asker.Round(round), computation);
    }

    /**
     * Asks a schedule what would fit. What only fits if others are moved may take long to find, and so may how well batch jobs
     * do without a slot: that is looked for when it is the account's turn.
     *
     * @throws SideDesk.Overloaded if too much is to be computed already
     * @throws SideDesk.Unanswered if there is no result in time
     */
    public Probe.Answer ask(AccountName account, Probe probe, DecisionBasis outlook) {
        var schedule = outlook.schedule();
        long now = outlook.now();
        if (!schedule.jobs().isEmpty() || probe.looks(schedule, now) > MAX_LOOKS) {
            return compute(account, () -> probe.ask(schedule, now));
        }
        var plain = probe.ask(schedule.whereNobodyMoves(), now);
        boolean isEnough = switch (schedule.cluster().policy().juggling()) {
            case NEVER -> true;
            case ON_CONFLICT, LEAST_MOVES -> !(plain instanceof Probe.Answer.Nothing(var why) && why.lacksRoom());
            case ALWAYS -> false;
        };
        return isEnough ? plain : compute(account, () -> probe.ask(schedule, now));
    }

    /** What a command for a cluster would be decided on; empty if there is no such cluster. */
    public Optional<DecisionBasis> outlook(ClusterId cluster) {
        return Optional.ofNullable(desks.get(cluster)).map(Desk::outlook);
    }

    /** Hands in a command by which an account books more, as soon as the outcome of those before it is known. */
    Pending submit(ClusterId cluster, Booking booking, Reach reach, Keys.Turn turn) {
        return limits.submit(cluster, booking.owner(), booking.limits(), allowance -> {
            var command = booking.command().apply(allowance);
            return turn.lastsFor(desk(cluster).submit(new Pending(command, turn.use(), booking.ifRefused(), reach)));
        });
    }

    /** Counts a request that a cluster, which must exist, was the last to refuse; it does not come to its desk. */
    public void count(ClusterId cluster, Reserve refused, Rejection reason) {
        var desk = desk(cluster);
        desk.count(refused, reason, desk.outlook().now());
    }

    /** As long as a client waits for the outcome. */
    Answer await(Pending pending) {
        return pending.await(threads, patience);
    }

    /** Returns once every desk that is not closed has done what was due when this was called, however long that takes. */
    public void catchUp() {
        for (var desk : desks.values()) {
            Answer answer;
            do {
                answer = desk.submit(new AdvanceClock(1), Optional.empty()).await(threads, patience);
            } while (!(answer instanceof Answer.Done) && desk.closed().isEmpty());
        }
    }

    /**
     * Records how many requests were refused since this was last called.
     *
     * @throws StorageUnavailable if the database cannot be asked; what was not recorded then is kept for the next time
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

    /** Closes every desk; what was answered is recorded, what still waits is refused. */
    @Override
    public void close() {
        close("The service is shutting down; try again once it is back.");
    }

    /** Closes every desk, and tells everybody who asks why. */
    public void close(String why) {
        if (closed.isEmpty()) {
            closed = Optional.of(why);
        }
        desks.values().forEach(desk -> desk.close(why));
        desks.values().forEach(Desk::awaitClosed);
        sideDesk.close();
        try {
            recordRefusals();
        } catch (RuntimeException e) {
            log.warn("The last refusals were not counted: {}", e.toString());
        }
    }
}
