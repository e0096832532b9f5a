package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;

import berth.booking.Coallocation;
import berth.budget.Budget;
import berth.cluster.Cluster;
import berth.cluster.Intake;
import berth.cluster.JobIntake;
import berth.instances.Instances;
import berth.intake.IntakeRequest;
import berth.peers.Mirror;
import berth.reservation.ClusterId;
import berth.runtime.Timekeeper;
import berth.scheduling.ClusterSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One Berth of a yard: its database and the processes on it, of which one should be active. */
final class Site {

    /** How far the clock is ahead after all faults: later than any trusted time, because time does not go back. */
    static final Duration AHEAD_IN_THE_END = Timekeeper.TOLERANCE.multipliedBy(3);

    /** The longest pause of a process, and the longest time without its database. */
    private static final Duration LONGEST_BREAK = Duration.ofSeconds(40);

    /** How soon a process that was replaced notices it. */
    private static final Duration MOMENT = Duration.ofSeconds(1);

    /** How soon everything that the horizon has reached is decided. */
    private static final Duration LAG = Duration.ofMinutes(2);

    private final Yard yard;
    private final int number;
    private final Installation installation;
    private final Watch watch;
    private final Intake anywhere;

    /** The list of instances, if there are several processes. */
    private final Members members;

    /** All instances, if there are several, including ended ones until they start again. */
    private final List<Berth> instances = new ArrayList<>();

    /** The processes that have been the writer. */
    private final Set<Berth> writers = Collections.newSetFromMap(new IdentityHashMap<>());

    /** The process that was started last, or the instance that became the writer last. */
    private Berth present;

    /** Replaced processes that are still running. */
    private final List<Berth> replaced = new ArrayList<>();

    /** When one of several instances last became the writer. */
    private Duration takenAt = Duration.ZERO;

    private Duration fullUntil = Duration.ZERO;

    /** Until then commits end with a warning. */
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

    /** Returns how it decides requests without a cluster. */
    Intake anywhere() {
        return anywhere;
    }

    Cluster first() {
        return installation.ledger().clusters().getFirst();
    }

    List<ClusterId> clusters() {
        return installation.ledger().clusters().stream().map(Cluster::id).toList();
    }

    /** Returns a cluster with an external batch system. */
    Optional<ClusterId> outsideQueue() {
        return installation.ledger().clusters().stream()
                .filter(cluster -> cluster.policy().jobs() == JobIntake.OUTSIDE)
                .map(Cluster::id)
                .findFirst();
    }

    Berth present() {
        return present;
    }

    /** Returns the process that a client reaches: a replaced one if it still runs and the client does not know the other. */
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

    /** Returns a running process, or the one that the client believes to be active. */
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

    /** Checks that one instance is active. A replaced one may continue briefly until it checks the database. */
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

    /** Notes that a process has become the writer of the database. */
    void takenBy(Berth berth) {
        yard.coverage().count("takeovers");
        present = berth;
        writers.add(berth);
        takenAt = yard.simulation().elapsed();
    }

    /** Whether an instance is active. */
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

    /** Makes commits end with warnings for a while, because no standby has them. */
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

    /** Restarts processes that have died, and causes the faults that do not belong to a call. */
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

    /** Returns a jump of the clock: small, so that it is trusted, or by days. */
    private Duration jump() {
        var jump = yard.upTo(Duration.ofMinutes(20)).minusMinutes(10);
        return jump.abs().compareTo(Timekeeper.TOLERANCE) <= 0 ? jump : jump.multipliedBy(1000);
    }

    /** Stops all faults here. */
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

    /** Returns whether it continues to run. */
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

    /** Whether everything is in order: nothing is held, pending or owed for ever. */
    boolean isWell() {
        return isTaken()
                && present.process().isAlive()
                && present.desks().isRecovered()
                && present.desks().troubles().isEmpty()
                && pending().isEmpty()
                && unfinishedCoallocations().isEmpty()
                && owing().isEmpty()
                && held().isEmpty()
                && unfinished().isEmpty();
    }

    /**
     * Checks that everything is in order.
     *
     * @throws AssertionError if something is not
     */
    void requireWell() {
        assertThat(present.process().isAlive()).as("whether it runs").isTrue();
        assertThat(present.desks().isRecovered()).as("whether it has started").isTrue();
        assertThat(present.desks().isHealthy()).as("whether it is healthy").isTrue();
        assertThat(present.desks().troubles()).as("why clusters record nothing").isEmpty();
        assertThat(pending()).as("requests without a decision").isEmpty();
        assertThat(unfinishedCoallocations())
                .as("co-allocations that are not finished")
                .isEmpty();
        assertThat(owing()).as("what other Berths were not told").isEmpty();
        assertThat(held())
                .as("holds and pending reservations that should have expired")
                .isEmpty();
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

    private List<Coallocation> unfinishedCoallocations() {
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
        // a desk may take a moment and oversleep
        long now = present.clock().instant().minus(yard.swarm().grain()).getEpochSecond() - 10;
        return watch.reservations().stream()
                .filter(reservation -> switch (reservation.state()) {
                    case HELD -> reservation.status().holdExpiresAt().orElseThrow() < now;
                    case PENDING ->
                        reservation.status().approval().orElseThrow().expiresAt() < now;
                    default -> false;
                })
                .<Object>map(reservation -> reservation)
                .toList();
    }

    /** Returns series and maintenances with work left that the horizon has reached. */
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

    /** Returns the schedule that a start would find. */
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

    /** Returns a cluster of another Berth by its name here. */
    Optional<ClusterId> elsewhere() {
        var peers = installation.stores().peers().all();
        return peers.isEmpty()
                ? Optional.empty()
                : Optional.of(peers.get(yard.random().nextInt(peers.size())).id());
    }
}
