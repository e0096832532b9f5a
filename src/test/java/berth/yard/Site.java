package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;

import berth.broker.Coallocation;
import berth.broker.Mirror;
import berth.budget.Budget;
import berth.cluster.Cluster;
import berth.cluster.Intake;
import berth.cluster.JobIntake;
import berth.desk.Instances;
import berth.desk.Timekeeper;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.ReservationState;
import berth.scheduling.ClusterSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One Berth of a yard: its database, and the processes that run on it, of which one is meant to. */
final class Site {

    /** Of the clock, once nothing goes wrong any more: later than any that was believed, since time does not go back. */
    static final Duration AHEAD_IN_THE_END = Timekeeper.TOLERANCE.multipliedBy(3);

    /** The longest that a process stands still, or does not reach its database. */
    private static final Duration LONGEST_BREAK = Duration.ofSeconds(40);

    /** So soon one that has lost its place knows it. */
    private static final Duration MOMENT = Duration.ofSeconds(1);

    /** So soon what the horizon has reached is decided. */
    private static final Duration LAG = Duration.ofMinutes(2);

    private final Yard yard;
    private final int number;
    private final Installation installation;
    private final Watch watch;
    private final Intake anywhere;

    /** Where there is more than one process, which of them decides; else none. */
    private final Members members;

    /** All of them, where there is more than one; those that have ended until they are started again, too. */
    private final List<Berth> instances = new ArrayList<>();

    /** Those that have been the writer. */
    private final Set<Berth> writers = Collections.newSetFromMap(new IdentityHashMap<>());

    /** The one that was started last, or of several the one that has become the writer last. */
    private Berth present;

    /** Replaced, but still running. */
    private final List<Berth> replaced = new ArrayList<>();

    /** When one of several has become the writer last. */
    private Duration takenAt = Duration.ZERO;

    private Duration fullUntil = Duration.ZERO;

    /** Until then no commit is known to last. */
    private Duration warnsUntil = Duration.ZERO;

    Site(Yard yard, int number, int instances, Installation installation, Watch watch, Intake anywhere) {
        this.yard = yard;
        this.number = number;
        this.installation = installation;
        this.watch = watch;
        this.anywhere = anywhere;
        this.members = new Members(yard);
        for (int i = 0; i < (instances > 1 ? instances : 0); i++) {
            this.instances.add(new Berth(yard, this, true));
        }
        this.present = instances > 1 ? this.instances.getFirst() : new Berth(yard, this, false);
        installation.tell(mirror -> {
            try {
                watch.mirrored(mirror);
            } catch (AssertionError e) {
                yard.simulation().fail(e);
            }
        });
    }

    int number() {
        return number;
    }

    Installation installation() {
        return installation;
    }

    Watch watch() {
        return watch;
    }

    /** How it decides requests without a cluster. */
    Intake anywhere() {
        return anywhere;
    }

    Cluster first() {
        return installation.ledger().clusters().getFirst();
    }

    List<ClusterId> clusters() {
        return installation.ledger().clusters().stream().map(Cluster::id).toList();
    }

    /** One whose queue an outside batch system tells of. */
    Optional<ClusterId> outsideQueue() {
        return installation.ledger().clusters().stream()
                .filter(cluster -> cluster.policy().jobs() == JobIntake.OUTSIDE)
                .map(Cluster::id)
                .findFirst();
    }

    Berth present() {
        return present;
    }

    /** The process that a client reaches: one that was replaced, if that goes on still and the client has not heard of the other. */
    Berth reached() {
        if (hasSeveral()) {
            return reachedOfSeveral();
        }
        replaced.removeIf(berth -> !berth.process().isAlive());
        return !replaced.isEmpty() && yard.random().nextInt(3) == 0
                ? replaced.get(yard.random().nextInt(replaced.size()))
                : present;
    }

    private boolean hasSeveral() {
        return !instances.isEmpty();
    }

    /** Any of those that run, or the one that it knows to decide. */
    private Berth reachedOfSeveral() {
        requireOneDecides();
        var running =
                instances.stream().filter(berth -> berth.process().isAlive()).toList();
        if (running.isEmpty()) {
            return present;
        }
        var asked = running.get(yard.random().nextInt(running.size()));
        return asked.turn() instanceof Instances.Turn.There(var active)
                ? running.stream()
                        .filter(berth -> berth.id().equals(active.id()))
                        .findFirst()
                        .orElse(asked)
                : asked;
    }

    /** One whose place is taken may go on for a moment, until it looks at the database. */
    private void requireOneDecides() {
        var now = yard.simulation().elapsed();
        boolean isSure =
                now.minus(takenAt).compareTo(MOMENT.plus(yard.swarm().grain().multipliedBy(2))) > 0;
        assertThat(instances.stream().filter(Berth::isServing).count())
                .as("how many decide")
                .isLessThanOrEqualTo(isSure ? 1 : 2);
    }

    Members members() {
        return members;
    }

    /** A process has become the writer of the database. */
    void takenBy(Berth berth) {
        yard.coverage().count("takeovers");
        present = berth;
        writers.add(berth);
        takenAt = yard.simulation().elapsed();
    }

    /** Whether somebody decides. */
    boolean isTaken() {
        return !hasSeveral() || present.isServing();
    }

    boolean isReplaced(Berth berth) {
        return berth != present;
    }

    /** Whether another process has become the writer after this one. */
    boolean hasLostItsPlace(Berth berth) {
        return isReplaced(berth) && writers.contains(berth);
    }

    boolean isDiskFull() {
        return !yard.isCalm() && yard.simulation().elapsed().compareTo(fullUntil) < 0;
    }

    /** For a while no standby has what is recorded. */
    void warn() {
        warnsUntil = yard.simulation().elapsed().plus(yard.upTo(Duration.ofMinutes(1)));
    }

    boolean isWarning() {
        return !yard.isCalm() && yard.simulation().elapsed().compareTo(warnsUntil) < 0;
    }

    private void start() {
        present = started(false);
    }

    private Berth started(boolean isOneOfSeveral) {
        yard.coverage().count("starts");
        yard.tell("a process of %d starts", number);
        return new Berth(yard, this, isOneOfSeveral);
    }

    /** Starts a process again that has died, and lets go wrong what is no matter of a call. */
    void watchOver() {
        if (yard.happens(Fault.DISK_FULL)) {
            fullUntil = yard.simulation().elapsed().plus(yard.upTo(Duration.ofMinutes(2)));
        }
        if (hasSeveral()) {
            instances.replaceAll(
                    berth -> berth.process().isAlive() || yard.random().nextBoolean() ? berth : started(true));
            disturb(
                    yard.random().nextBoolean()
                            ? present
                            : instances.get(yard.random().nextInt(instances.size())));
            return;
        }
        if (!present.process().isAlive()) {
            start();
        }
        if (yard.happens(Fault.RIVAL)) {
            replaced.add(present);
            start();
        }
        if (!replaced.isEmpty() && yard.random().nextInt(3) == 0) {
            replaced.removeFirst().process().die();
        }
        disturb(present);
    }

    private void disturb(Berth berth) {
        if (yard.happens(Fault.CLOCK_JUMPS)) {
            berth.process().setClock(jump());
        }
        if (yard.happens(Fault.CLOCK_STOPS)) {
            berth.process().stopClock();
        }
        if (yard.happens(Fault.STANDSTILL)) {
            berth.process().standStill(yard.upTo(LONGEST_BREAK));
        }
        if (yard.happens(Fault.CUT_OFF)) {
            berth.cutOff(yard.upTo(LONGEST_BREAK));
        }
        if (yard.happens(Fault.CRASH)) {
            berth.process().die();
        } else if (yard.happens(Fault.STOP)) {
            berth.stop();
        }
    }

    /** By little, so that the clock is believed, or by days. */
    private Duration jump() {
        var jump = yard.upTo(Duration.ofMinutes(20)).minusMinutes(10);
        return jump.abs().compareTo(Timekeeper.TOLERANCE) <= 0 ? jump : jump.multipliedBy(1000);
    }

    /** Nothing goes wrong here any more. */
    void calmDown() {
        replaced.forEach(berth -> berth.process().die());
        if (hasSeveral()) {
            instances.replaceAll(berth -> calmed(berth) ? berth : started(true));
            instances.forEach(Site::rightClock);
        } else {
            if (!calmed(present)) {
                start();
            }
            rightClock(present);
        }
    }

    /** Whether it goes on. */
    private static boolean calmed(Berth berth) {
        berth.process().standStill(Duration.ZERO);
        berth.cutOff(Duration.ZERO);
        if (berth.isStopping()) {
            berth.process().die();
        }
        return berth.process().isAlive();
    }

    private static void rightClock(Berth berth) {
        berth.process().setClock(AHEAD_IN_THE_END);
        berth.clock().accept();
    }

    /** Whether all is as it should be: nothing is held, pending or owed for ever. */
    boolean isWell() {
        return isTaken()
                && present.process().isAlive()
                && present.desks().isRecovered()
                && present.desks().troubles().isEmpty()
                && pending().isEmpty()
                && unsettled().isEmpty()
                && owing().isEmpty()
                && held().isEmpty()
                && unfinished().isEmpty();
    }

    /** @throws AssertionError if anything is not as it should be */
    void requireWell() {
        assertThat(present.process().isAlive()).as("whether it runs").isTrue();
        assertThat(present.desks().isRecovered()).as("whether it has started").isTrue();
        assertThat(present.desks().isHealthy()).as("whether it is healthy").isTrue();
        assertThat(present.desks().troubles()).as("why clusters record nothing").isEmpty();
        assertThat(pending()).as("requests without a decision").isEmpty();
        assertThat(unsettled()).as("co-allocations that are not settled").isEmpty();
        assertThat(owing()).as("what other Berths were not told").isEmpty();
        assertThat(held()).as("holds that should have expired").isEmpty();
        assertThat(unfinished())
                .as("series and maintenances that are not as far as they should be")
                .isEmpty();
        watch.series().requireWhole(installation.series(), installation.maintenances());
        assertThat(
                        present
                                .desks()
                                .budgets()
                                .balance(
                                        Installation.PROJECT,
                                        yard.simulation().now().getEpochSecond())
                                .stream()
                                .map(Budget.Balance::available)
                                .toList())
                .as("what is in memory of what the project can spend")
                .isEqualTo(yard.budget().map(all -> all.subtract(watch.taken())).stream()
                        .toList());
        for (var cluster : clusters()) {
            assertThat(difference(present.desks().schedule(cluster).orElseThrow(), recorded(cluster)))
                    .as("what of %s is in memory otherwise than it is recorded", cluster)
                    .isEmpty();
        }
    }

    private List<Coallocation> unsettled() {
        return installation.coallocations().stream()
                .filter(Installation::isOpen)
                .toList();
    }

    private List<Mirror> owing() {
        return installation.mirrors().stream()
                .filter(mirror -> mirror.owed() != Mirror.Owed.NOTHING)
                .toList();
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
        // a desk may take a moment, and oversleep
        long now = present.clock().instant().minus(yard.swarm().grain()).getEpochSecond() - 10;
        return watch.reservations().stream()
                .filter(reservation -> reservation.state() == ReservationState.HELD
                        && reservation.status().holdExpiresAt().orElseThrow() < now)
                .<Object>map(reservation -> reservation)
                .toList();
    }

    /** Of which something is still to be decided or recorded that the horizon has reached. */
    private List<Object> unfinished() {
        long horizon = present.clock()
                        .instant()
                        .minus(LAG)
                        .minus(yard.swarm().grain().multipliedBy(3))
                        .getEpochSecond()
                + Yard.HORIZON;
        var unfinished = new ArrayList<Object>();
        installation.series().stream()
                .filter(series -> !SeriesWatch.isSettled(series, horizon))
                .forEach(unfinished::add);
        installation.maintenances().stream()
                .filter(one -> one.planned().stream().skip(one.recorded()).anyMatch(window -> window.start() < horizon))
                .forEach(unfinished::add);
        return unfinished;
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
    private ClusterSchedule recorded(ClusterId cluster) {
        var standing = installation.ledger().takeOver(cluster);
        return ClusterSchedule.of(
                standing.cluster(),
                standing.live(),
                standing.outages(),
                standing.jobs(),
                standing.requests(),
                standing.lastEventAt());
    }

    /** A cluster of another Berth that is known here, by the name that it has here. */
    Optional<ClusterId> elsewhere() {
        var peers = installation.stores().peers().all();
        return peers.isEmpty()
                ? Optional.empty()
                : Optional.of(peers.get(yard.random().nextInt(peers.size())).id());
    }
}
