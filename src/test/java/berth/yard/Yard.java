package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;

import berth.approval.ClusterApproval;
import berth.availability.PlacementPolicy;
import berth.booking.WholeBroker;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.EnforcementRule;
import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import berth.cluster.JobIntake;
import berth.cluster.Juggling;
import berth.cluster.MoveRules;
import berth.cluster.Nodes;
import berth.cluster.Policy;
import berth.cluster.ReplanOrder;
import berth.cluster.Replanning;
import berth.peers.Mirror;
import berth.peers.Peer;
import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.runtime.Gate;
import berth.runtime.StorageUnavailable;
import berth.runtime.Timekeeper;
import berth.scheduling.RandomCommands;
import berth.service.Door;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.MoveBounds;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * A Berth on its database, its clients, its operator and the faults, for as long as the clients need: the history of one seed. A broken
 * promise ends it with an {@link AssertionError}.
 */
final class Yard {

    private static final Instant BEGIN = Instant.parse("2027-01-01T12:00:00Z");

    /** How long it may take after the last fault until everything is in order. */
    private static final Duration CALM = Duration.ofMinutes(10);

    /** How long there may be no active instance after the last fault. */
    private static final Duration OWNERLESS = Duration.ofSeconds(6);

    /** The timeout of a call between Berths. */
    private static final Duration LINK_PATIENCE = Duration.ofSeconds(3);

    /** The account that several clients of a Berth share if there are limits. */
    private static final AccountName SHARED = new AccountName("shared");

    /** The horizon of clusters with series, further ahead than any request for a single run. */
    static final long HORIZON = Duration.ofDays(1).toSeconds();

    /** The number of clients of each Berth that share the account. */
    private static final int SHARING = 3;

    private final Swarm swarm;
    private final Random random;

    /** The random streams of the clients that request series. */
    private final Random streams;

    /** The random streams of the approvers. */
    private final Random approvals;

    /** The budget of the project of half of all requests; empty if there is none. */
    private final Optional<BigDecimal> budget;

    /** The approval that requests need; empty if they need none. */
    private final Optional<Oversight> oversight;

    private final Simulation simulation;
    private final Simulation.Process world;
    private final Coverage coverage;

    /** Requests at all Berths, by name. */
    private final Map<String, Watch.Ask> asks = new HashMap<>();

    private final List<Site> sites = new ArrayList<>();

    private int busy;
    private boolean isCalm;

    Yard(long seed, Swarm swarm, Coverage coverage) {
        Silence.begin();
        this.swarm = swarm;
        this.coverage = coverage;
        random = new Random(seed);
        streams = new Random(seed ^ 0x5e71e5);
        budget = budget(new Random(seed ^ 0xb0d6e7), swarm);
        simulation = new Simulation(random, BEGIN, swarm.grain());
        approvals = new Random(seed ^ 0xa9920fe);
        oversight = swarm.berths() == 1 && approvals.nextInt(3) == 0
                ? Optional.of(new Oversight(approvals, swarm, account(0), simulation::elapsed))
                : Optional.empty();
        world = simulation.new Process();
        var clusters = IntStream.range(0, swarm.berths())
                .mapToObj(site -> IntStream.range(0, swarm.clusters())
                        .mapToObj(number -> cluster(site, number))
                        .toList())
                .toList();
        var anywhere = swarm.isCollectingAnywhere() ? new Intake(IntakeOrder.DPSAR, 30, 10, 3) : Intake.STANDARD;
        for (int site = 0; site < swarm.berths(); site++) {
            var installation = new Installation(site, clusters.get(site), peers(site, clusters));
            budget.ifPresent(installation::grant);
            var watch = new Watch(
                    clusters.get(site),
                    this::latest,
                    this::limitsOf,
                    // a reservation that ends soon has ended by a clock that is ahead
                    owner -> installation.mirrored(owner, latest().getEpochSecond()),
                    asks,
                    budget,
                    oversight);
            sites.add(new Site(this, site, swarm.instances(), installation, watch, anywhere));
        }
    }

    /** Returns a budget only if there is one Berth, because others would not know it. */
    private static Optional<BigDecimal> budget(Random random, Swarm swarm) {
        var amount = List.of("5.00", "25.00", "100.00").get(random.nextInt(3));
        return swarm.berths() == 1 && random.nextBoolean() ? Optional.of(new BigDecimal(amount)) : Optional.empty();
    }

    Optional<Oversight> oversight() {
        return oversight;
    }

    Optional<BigDecimal> budget() {
        return budget;
    }

    /** Returns the project of a request with that name. */
    Optional<String> project(String name) {
        return budget.filter(_ -> name.hashCode() % 2 == 0).map(_ -> Installation.PROJECT);
    }

    /** Returns the latest time that a trusted clock can show. */
    private Instant latest() {
        return simulation.now().plus(isCalm ? Site.AHEAD_IN_THE_END : Timekeeper.TOLERANCE);
    }

    /** Returns the first cluster of each other Berth. */
    private static List<Peer> peers(int site, List<List<Cluster>> clusters) {
        return IntStream.range(0, clusters.size())
                .filter(other -> other != site)
                .mapToObj(other -> {
                    var cluster = clusters.get(other).getFirst();
                    return new Peer(
                            new ClusterId("there-" + other),
                            URI.create("http://berth-" + other),
                            "berth-" + site,
                            cluster.id(),
                            Door.card(cluster),
                            BEGIN.getEpochSecond(),
                            1);
                })
                .toList();
    }

    private Cluster cluster(int site, int number) {
        var standard = Cluster.of("yard-%d-%d".formatted(site, number), 6 + random.nextInt(4));
        var policy = (swarm.isRecurring()
                        ? standard.policy()
                                .withHorizon(HORIZON, standard.policy().notice())
                        : standard.policy())
                .withPlacement(PlacementPolicy.values()[random.nextInt(PlacementPolicy.values().length)])
                .withReplanning(Replanning.of(
                                Juggling.values()[random.nextInt(Juggling.values().length)],
                                ReplanOrder.values()[random.nextInt(ReplanOrder.values().length)])
                        .promising(promises(site + number)))
                .withJobs(random.nextInt(4) == 0 ? JobIntake.OUTSIDE : JobIntake.OPEN)
                .with("approval", oversight.map(Oversight::ofClusters).orElse(ClusterApproval.NONE));
        var binding = Binding.values()[random.nextInt(Binding.values().length)];
        var rule = EnforcementRule.values()[random.nextInt(EnforcementRule.values().length)];
        var intake = number < swarm.collecting() ? new Intake(IntakeOrder.DPSAR, 60, 10, 3) : standard.intake();
        return standard.with("nodes", Nodes.SINGLE_PES)
                .with("binding", binding)
                .with("policy", enforced(policy, binding == Binding.EARLY ? rule : EnforcementRule.NONE))
                .with("intake", intake)
                .with("tariff", site + number == 0 ? RandomCommands.returning(standard.tariff()) : standard.tariff())
                .with("version", 0);
    }

    /** Bounds how often reservations are moved, except on every third cluster. */
    private static MoveRules promises(int number) {
        return number % 3 == 0
                ? MoveRules.NONE
                : new MoveRules(
                        new MoveBounds(
                                OptionalInt.of(number % 3),
                                number % 2 == 0 ? OptionalLong.empty() : OptionalLong.of(3_600)),
                        new BigDecimal("0.05"));
    }

    private static Policy enforced(Policy policy, EnforcementRule rule) {
        return policy.with("enforcement", rule);
    }

    AccountLimits limitsOf(AccountName name) {
        return name.equals(SHARED) ? swarm.limits() : AccountLimits.NONE;
    }

    /** Returns the account of a client, which others may share. */
    private AccountName account(int client) {
        return swarm.limits().equals(AccountLimits.NONE) || client / swarm.berths() >= SHARING
                ? new AccountName("client-" + client)
                : SHARED;
    }

    /** Whether an account with limits is shared; its clients often call at the same time. */
    boolean isShared(AccountName account) {
        return account.equals(SHARED);
    }

    Swarm swarm() {
        return swarm;
    }

    Random random() {
        return random;
    }

    Coverage coverage() {
        return coverage;
    }

    Simulation.Process world() {
        return world;
    }

    List<Reservation> reservations() {
        return sites.stream()
                .flatMap(site -> site.watch().reservations().stream())
                .toList();
    }

    long events() {
        return sites.stream().mapToLong(site -> site.watch().events()).sum();
    }

    /** Returns the number of decided occurrences of series. */
    long occurrences() {
        return sites.stream().mapToLong(site -> site.watch().series().decided()).sum();
    }

    /** Returns how many of them were not decided at once. */
    long laterOccurrences() {
        return sites.stream().mapToLong(site -> site.watch().series().later()).sum();
    }

    Simulation simulation() {
        return simulation;
    }

    UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    Duration upTo(Duration most) {
        return Duration.ofNanos(random.nextLong(most.toNanos()));
    }

    /** Describes a step for whoever examines a failing seed. */
    void tell(String what, Object... about) {
        if (Boolean.getBoolean("berth.yard.loud")) {
            System.out.printf("%s %s%n", simulation.elapsed(), what.formatted(about));
        }
    }

    /** Draws whether a fault happens. */
    boolean happens(Fault fault) {
        boolean happens = !isCalm && swarm.faults().contains(fault) && random.nextInt(rarity(fault)) == 0;
        if (happens) {
            coverage.met(fault);
            tell("%s", fault);
        }
        return happens;
    }

    private static int rarity(Fault fault) {
        return switch (fault) {
            case COMMIT_FAILS, ANSWER_LOST, COMMIT_WARNS, COMMIT_AND_ANSWER_LOST, LATE -> 10;
            case STALL,
                    REQUEST_LOST,
                    REPLY_LOST,
                    REQUEST_REPEATED,
                    LINK_LOSES,
                    LINK_LOSES_REPLY,
                    LINK_REPEATS,
                    LINK_DELAYS -> 15;
            case LINK_IS_SLOW -> 5;
            case SETTLE_FAILS, SETTLE_ANSWER_LOST -> 3;
            case STORE_FAILS, STORE_ANSWER_LOST -> 40;
            case CRASH -> 120;
            case DISK_FULL, RIVAL, STANDSTILL, CUT_OFF, STOP, CLOCK_JUMPS, CLOCK_STOPS -> 4;
        };
    }

    boolean isCalm() {
        return isCalm;
    }

    /** Runs something later, whatever happens to the process that began it. */
    void later(Runnable work) {
        world.begin("later", () -> {
            world.pause(upTo(Duration.ofSeconds(5)));
            work.run();
        });
    }

    /** Lets the process die here, perhaps. */
    void mayDie(Berth berth) {
        if (happens(Fault.CRASH)) {
            berth.process().die();
            while (true) {
                LockSupport.park();
                // an interrupted thread would not wait
                var unused = Thread.interrupted();
            }
        }
    }

    /** Runs the whole history and the checks at its end. */
    void run() {
        for (int i = 0; i < swarm.clients(); i++) {
            begin(new Client(this, sites.get(i % sites.size()), i, account(i)));
        }
        for (int i = 0; i < swarm.recurring(); i++) {
            begin(new SeriesClient(this, sites.get(i % sites.size()), i, new Random(streams.nextLong())));
        }
        if (oversight.isPresent()) {
            begin(new Approver(this, sites.getFirst(), Oversight.APPROVER, new Random(approvals.nextLong())));
            begin(new Approver(this, sites.getFirst(), Oversight.OWNER, new Random(approvals.nextLong())));
        }
        sites.forEach(site -> world.begin("warden", () -> watchOver(site)));
        boolean isOver = simulation.runUntil(() -> busy == 0, Duration.ofDays(400));
        assertThat(isOver).as("whether every client has come to its end").isTrue();
        calmDown();
    }

    private void begin(Caller client) {
        busy++;
        world.begin(client.name(), () -> {
            client.run();
            busy--;
        });
    }

    private void watchOver(Site site) {
        while (true) {
            world.pause(upTo(swarm.pace().multipliedBy(2)).plusMillis(200));
            site.watchOver();
        }
    }

    /**
     * Stops all faults and checks that everything is soon in order: all calls are answered, and nothing is held, pending or unfinished for
     * ever.
     */
    private void calmDown() {
        isCalm = true;
        sites.forEach(Site::calmDown);
        boolean isTaken = simulation.runUntil(() -> sites.stream().allMatch(Site::isTaken), takenWithin());
        assertThat(isTaken).as("whether everywhere somebody decides").isTrue();
        // whatever is in progress may still arrive, and clocks are set
        simulation.run(Duration.ofMinutes(2));
        simulation.runUntil(() -> sites.stream().allMatch(Site::isWell), CALM);
        simulation.run(Duration.ofMinutes(1));
        awaitAnswers();
        sites.forEach(Site::requireWell);
        nobodyHasTwice();
    }

    /** Returns how soon an instance must be active after the last fault, given delays in progress and oversleeping. */
    private Duration takenWithin() {
        return OWNERLESS
                .plus(swarm.grain().multipliedBy(10))
                .plus(swarm.faults().contains(Fault.STALL) ? Session.LONGEST_STALL : Duration.ZERO);
    }

    /** Waits until no desk waits for a commit, during which its schedule is behind the database. */
    private void awaitAnswers() {
        long before;
        do {
            before = events();
            simulation.run(Duration.ofSeconds(1));
        } while (events() != before);
    }

    /** Checks that each request has one reservation over all Berths, and that a confirmed reservation elsewhere is known at home. */
    private void nobodyHasTwice() {
        var places = new HashMap<String, List<Reservation>>();
        for (var site : sites) {
            for (var reservation : site.watch().reservations()) {
                if (wasConfirmed(reservation)) {
                    places.computeIfAbsent(reservation.origin().labels().name().orElseThrow(), _ -> new ArrayList<>())
                            .add(reservation);
                }
            }
        }
        places.forEach((name, reserved) -> {
            if (Objects.requireNonNull(asks.get(name)).isOnce()) {
                assertThat(reserved)
                        .as("what is reserved for %s, asked for once", name)
                        .hasSizeLessThanOrEqualTo(1);
            }
        });
        for (var site : sites) {
            for (var reservation : site.watch().reservations()) {
                if (wasConfirmed(reservation) && reservation.state().isLive()) {
                    home(reservation)
                            .ifPresent(home -> assertThat(home.installation().mirrors())
                                    .as("who knows that this is live: %s", reservation)
                                    .anyMatch(mirror -> isOf(mirror, reservation)
                                            && mirror.state().isLive()));
                }
            }
        }
    }

    private static boolean isOf(Mirror mirror, Reservation elsewhere) {
        return mirror.remoteId().equals(elsewhere.id().toString());
    }

    /** Notes that a client was told of a reservation at another Berth. */
    void told(Mirror mirror, boolean isHold) {
        var there = sites.stream()
                .map(Site::watch)
                .filter(watch -> watch.isRecorded(new ReservationId(UUID.fromString(mirror.remoteId()))))
                .findFirst();
        assertThat(there).as("where it is that was told of: %s", mirror).isPresent();
        var id = new ReservationId(UUID.fromString(mirror.remoteId()));
        assertThat(there.get().present(id).origin().labels().name())
                .as("for what it was asked")
                .isEqualTo(mirror.origin().labels().name());
        // a reservation that failed there before it could be confirmed is reported as it is to repeated requests
        assertThat(isHold || !mirror.state().isLive() || there.get().wasConfirmed(id))
                .as("whether it is more than held that was told of: %s", mirror)
                .isTrue();
    }

    /** Whether it was more than a hold and was kept. */
    private static boolean wasConfirmed(Reservation reservation) {
        return switch (reservation.state()) {
            case CONFIRMED, RUNNING, COMPLETED -> true;
            case HELD, PENDING, CANCELLED, EXPIRED, FAILED -> false;
        };
    }

    /** Returns the Berth whose client requested it. */
    private Optional<Site> home(Reservation reservation) {
        var owner = reservation.origin().owner().value();
        return owner.startsWith("berth-")
                ? Optional.of(sites.get(Integer.parseInt(owner.substring("berth-".length()))))
                : Optional.empty();
    }

    /** Lets one Berth call another over an unreliable link. */
    Optional<WholeBroker.Said> link(
            Berth from, String to, String path, Optional<JsonNode> body, Optional<String> key, OptionalInt version) {
        var caller = new AccountName("berth-" + from.site().number());
        var target =
                sites.get(Integer.parseInt(to.substring("berth-".length()))).reached();
        var process = from.process();
        if (happens(Fault.LINK_LOSES) || !target.process().isAlive()) {
            process.pause(LINK_PATIENCE);
            return Optional.empty();
        }
        var answers = new ArrayList<WholeBroker.Said>();
        boolean isLate = happens(Fault.LINK_DELAYS);
        int times = happens(Fault.LINK_REPEATS) ? 2 : 1;
        var back = happens(Fault.LINK_IS_SLOW) ? upTo(LINK_PATIENCE) : Duration.ZERO;
        for (int i = 0; i < times; i++) {
            var delay = upTo(Duration.ofMillis(100)).plusSeconds(isLate || i > 0 ? random.nextInt(90) : 0);
            target.process().begin("link", () -> {
                target.process().pause(delay);
                var said = target.asked(caller, path, body, key, version);
                target.process().pause(back);
                answers.add(said);
            });
        }
        try {
            process.until(() -> !answers.isEmpty(), LINK_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return answers.isEmpty() || happens(Fault.LINK_LOSES_REPLY)
                ? Optional.empty()
                : Optional.of(answers.getFirst());
    }

    /** The result of a call as a client gets it. */
    sealed interface Heard<T> {
        record Said<T>(T answer) implements Heard<T> {}

        /** An error that leaves the result open. */
        record Failed<T>(RuntimeException cause) implements Heard<T> {}

        /** No answer. */
        record Nothing<T>() implements Heard<T> {}
    }

    /**
     * Makes a call over an unreliable link.
     *
     * @param times how often it arrives; the client gets the first answer
     */
    <T> Heard<T> call(Function<Berth, T> call, Berth berth, int times) {
        if (happens(Fault.REQUEST_LOST)) {
            world.pause(Duration.ofSeconds(30));
            return new Heard.Nothing<>();
        }
        if (!berth.isServing()) {
            return new Heard.Failed<>(new IllegalStateException("it has not started yet, or does not decide"));
        }
        var answers = new ArrayList<Heard<T>>();
        for (int i = 0; i < times; i++) {
            berth.process().begin("call", () -> {
                Heard<T> heard;
                try {
                    heard = new Heard.Said<>(call.apply(berth));
                } catch (StorageUnavailable | Gate.Overloaded | Gate.Unanswered e) {
                    heard = new Heard.Failed<>(e);
                }
                answers.add(heard);
            });
        }
        try {
            world.until(() -> !answers.isEmpty() || !berth.process().isAlive(), Duration.ofMinutes(2));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (answers.isEmpty() || happens(Fault.REPLY_LOST)) {
            return new Heard.Nothing<>();
        }
        return answers.getFirst();
    }
}
