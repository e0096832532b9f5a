package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.cluster.Replanning;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.ReservationState;
import berth.scheduling.ClusterSchedule;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A Berth on its database, its clients, its operator and whatever goes wrong, for the time that the clients take: the history of one
 * seed. Whoever breaks a promise in it ends it with an {@link AssertionError}.
 */
final class Yard {

    private static final Instant BEGIN = Instant.parse("2027-01-01T12:00:00Z");

    /** Nothing goes wrong any more: so long it may take until all is as it should be. */
    private static final Duration CALM = Duration.ofMinutes(10);

    private static final AccountLimits FEW =
            new AccountLimits(OptionalInt.of(3), OptionalInt.of(6), OptionalLong.empty());

    private final Swarm swarm;
    private final Random random;
    private final Simulation simulation;
    private final Installation installation;
    private final Simulation.Process world;
    private final Watch watch;
    private final Coverage coverage;
    private final Intake anywhere;

    /** The one that was started last. */
    private Berth present;

    /** Replaced, but still running. */
    private final List<Berth> replaced = new ArrayList<>();

    private int busy;
    private boolean isCalm;
    private Duration fullUntil = Duration.ZERO;

    Yard(long seed, Swarm swarm, Coverage coverage) {
        this.swarm = swarm;
        this.coverage = coverage;
        random = new Random(seed);
        simulation = new Simulation(random, BEGIN, swarm.grain());
        world = simulation.new Process();
        var clusters =
                IntStream.range(0, swarm.clusters()).mapToObj(this::cluster).toList();
        installation = new Installation(clusters);
        watch = new Watch(clusters, this::limits);
        anywhere = swarm.isCollectingAnywhere() ? new Intake(IntakeOrder.DPSAR, 30, 10, 3) : Intake.STANDARD;
        present = new Berth(this, simulation.new Process(), installation, anywhere, this::limits);
    }

    private Cluster cluster(int number) {
        var standard = Cluster.of("yard-" + number, 6 + random.nextInt(4));
        var policy = standard.policy()
                .placing(PlacementPolicy.values()[random.nextInt(PlacementPolicy.values().length)])
                .replanning(Replanning.of(
                        Juggling.values()[random.nextInt(Juggling.values().length)],
                        ReplanOrder.values()[random.nextInt(ReplanOrder.values().length)]));
        var intake = number < swarm.collecting() ? new Intake(IntakeOrder.DPSAR, 60, 10, 3) : standard.intake();
        return new Cluster(
                standard.id(),
                standard.pes(),
                standard.rating(),
                standard.labels(),
                Binding.values()[random.nextInt(Binding.values().length)],
                standard.admission(),
                policy,
                intake,
                standard.tariff(),
                0);
    }

    Cluster first() {
        return installation.ledger().clusters().getFirst();
    }

    List<ClusterId> clusters() {
        return installation.ledger().clusters().stream().map(Cluster::id).toList();
    }

    private AccountLimits limits(AccountName name) {
        return swarm.limited() && name.value().equals("client-0") ? FEW : AccountLimits.NONE;
    }

    AccountLimits limitsOf(AccountName name) {
        return limits(name);
    }

    Swarm swarm() {
        return swarm;
    }

    Random random() {
        return random;
    }

    Watch watch() {
        return watch;
    }

    Coverage coverage() {
        return coverage;
    }

    Simulation.Process world() {
        return world;
    }

    Simulation simulation() {
        return simulation;
    }

    UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    /** The process that a client reaches: one that was replaced, if that goes on still and it has not heard of the other. */
    Berth reached() {
        replaced.removeIf(berth -> !berth.process().isAlive());
        return !replaced.isEmpty() && random.nextInt(3) == 0 ? replaced.get(random.nextInt(replaced.size())) : present;
    }

    Duration upTo(Duration most) {
        return Duration.ofNanos(random.nextLong(most.toNanos()));
    }

    /** Tells whoever looks for what a failing seed has done. */
    void tell(String what, Object... about) {
        if (Boolean.getBoolean("berth.yard.loud")) {
            System.out.printf("%s %s%n", simulation.elapsed(), what.formatted(about));
        }
    }

    /** Draws whether something goes wrong. */
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
            case COMMIT_FAILS, ANSWER_LOST, COMMIT_AND_ANSWER_LOST, LATE -> 10;
            case STALL, REQUEST_LOST, REPLY_LOST, REQUEST_REPEATED -> 15;
            case SETTLE_FAILS -> 3;
            case STORE_FAILS, STORE_ANSWER_LOST -> 40;
            case CRASH -> 120;
            case DISK_FULL, RIVAL, CLOCK_JUMPS, CLOCK_STOPS -> 4;
        };
    }

    boolean isDiskFull() {
        return !isCalm && simulation.elapsed().compareTo(fullUntil) < 0;
    }

    boolean isReplaced(Berth berth) {
        return berth != present;
    }

    /** Does something after a while, whatever becomes of the process that began it. */
    void later(Runnable work) {
        world.begin("later", () -> {
            world.pause(upTo(Duration.ofSeconds(5)));
            work.run();
        });
    }

    /** The process may die here. */
    void mayDie(Berth berth) {
        if (happens(Fault.CRASH)) {
            berth.process().die();
            while (true) {
                LockSupport.park();
            }
        }
    }

    /** The whole history, and what must be true after it. */
    void run() {
        for (int i = 0; i < swarm.clients(); i++) {
            begin(new Client(this, i));
        }
        world.begin("warden", this::watchOver);
        boolean isOver = simulation.runUntil(() -> busy == 0, Duration.ofDays(400));
        assertThat(isOver).as("whether every client has come to its end").isTrue();
        calmDown();
    }

    private void begin(Client client) {
        busy++;
        world.begin(client.name(), () -> {
            client.run();
            busy--;
        });
    }

    /** Starts a Berth again that has died, and lets happen what is no matter of a call. */
    private void watchOver() {
        while (true) {
            world.pause(upTo(swarm.pace().multipliedBy(2)).plusMillis(200));
            if (!present.process().isAlive()) {
                start();
            }
            if (happens(Fault.CLOCK_JUMPS)) {
                present.process().setClock(upTo(Duration.ofMinutes(20)).minusMinutes(10));
            }
            if (happens(Fault.CLOCK_STOPS)) {
                present.process().stopClock();
            }
            if (happens(Fault.DISK_FULL)) {
                fullUntil = simulation.elapsed().plus(upTo(Duration.ofMinutes(2)));
            }
            if (happens(Fault.RIVAL)) {
                replaced.add(present);
                start();
            }
            if (!replaced.isEmpty() && random.nextInt(3) == 0) {
                replaced.removeFirst().process().die();
            }
            if (happens(Fault.CRASH)) {
                present.process().die();
            }
        }
    }

    private void start() {
        coverage.count("starts");
        tell("a process starts");
        present = new Berth(this, simulation.new Process(), installation, anywhere, this::limits);
    }

    /** Soon all is as it should be: everybody has an answer, nothing is held, pending or unsettled for ever. */
    private void calmDown() {
        isCalm = true;
        replaced.forEach(berth -> berth.process().die());
        // later than any clock has shown: time does not go back
        present.process().setClock(Duration.ofMinutes(15));
        simulation.runUntil(this::isWell, CALM.plusMinutes(15));
        if (!present.process().isAlive()) {
            start();
            present.process().setClock(Duration.ofMinutes(15));
            simulation.runUntil(this::isWell, CALM);
        }
        assertThat(present.process().isAlive()).as("whether it runs").isTrue();
        assertThat(present.desks().isRecovered()).as("whether it has started").isTrue();
        assertThat(pending()).as("requests without a decision").isEmpty();
        assertThat(installation.coallocations().stream().filter(Installation::isOpen))
                .as("co-allocations that are not settled")
                .isEmpty();
        assertThat(held()).as("holds that should have expired").isEmpty();
        simulation.run(Duration.ofMinutes(1));
        for (var cluster : clusters()) {
            assertThat(difference(present.desks().schedule(cluster).orElseThrow(), recovered(cluster)))
                    .as("what of %s is in memory otherwise than it is recorded", cluster)
                    .isEmpty();
        }
    }

    private boolean isWell() {
        return present.process().isAlive()
                && present.desks().isRecovered()
                && pending().isEmpty()
                && installation.coallocations().stream().noneMatch(Installation::isOpen)
                && held().isEmpty();
    }

    private List<Object> pending() {
        var pending = new ArrayList<Object>();
        installation.requests().stream()
                .filter(request -> request.state() == IntakeRequest.State.PENDING)
                .forEach(pending::add);
        for (var cluster : clusters()) {
            present.desks().schedule(cluster).ifPresent(schedule -> pending.addAll(schedule.requests()));
        }
        return pending;
    }

    private List<Object> held() {
        long now = present.process().instant().getEpochSecond();
        return watch.reservations().stream()
                .filter(reservation -> reservation.state() == ReservationState.HELD
                        && reservation.status().holdExpiresAt().orElseThrow() < now)
                .<Object>map(reservation -> reservation)
                .toList();
    }

    private static String difference(ClusterSchedule inMemory, ClusterSchedule recorded) {
        if (inMemory.equals(recorded)) {
            return "";
        }
        var only = new ArrayList<Object>(inMemory.reservations());
        only.removeAll(recorded.reservations());
        var missing = new ArrayList<Object>(recorded.reservations());
        missing.removeAll(inMemory.reservations());
        return only.isEmpty() && missing.isEmpty()
                ? "%s, not %s".formatted(inMemory, recorded)
                : "%s, not %s".formatted(only, missing);
    }

    /** As a start would find it. */
    private ClusterSchedule recovered(ClusterId cluster) {
        var standing = installation.ledger().takeOver(cluster);
        return ClusterSchedule.of(
                standing.cluster(),
                standing.live(),
                standing.outages(),
                standing.jobs(),
                standing.requests(),
                standing.lastEventAt());
    }

    /** What a client hears of a call. */
    sealed interface Heard<T> {
        record Said<T>(T answer) implements Heard<T> {}

        /** It failed in a way that leaves open what has happened. */
        record Failed<T>(RuntimeException cause) implements Heard<T> {}

        /** Nothing. */
        record Nothing<T>() implements Heard<T> {}
    }

    /**
     * Makes a call over a link on which things get lost.
     *
     * @param times how often it arrives; the first answer is heard
     */
    <T> Heard<T> call(Function<Berth, T> call, Berth berth, int times) {
        if (happens(Fault.REQUEST_LOST)) {
            world.pause(Duration.ofSeconds(30));
            return new Heard.Nothing<>();
        }
        if (!berth.desks().isRecovered()) {
            return new Heard.Failed<>(new IllegalStateException("it has not started yet"));
        }
        var answers = new ArrayList<Heard<T>>();
        for (int i = 0; i < times; i++) {
            berth.process().begin("call", () -> {
                Heard<T> heard;
                try {
                    heard = new Heard.Said<>(call.apply(berth));
                } catch (berth.desk.StorageUnavailable
                        | berth.desk.SideDesk.Overloaded
                        | berth.desk.SideDesk.Unanswered e) {
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
