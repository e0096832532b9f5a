package berth.yard;

import static org.assertj.core.api.Assertions.assertThat;

import berth.broker.Coallocation;
import berth.broker.Mirror;
import berth.cluster.Cluster;
import berth.cluster.Intake;
import berth.cluster.JobIntake;
import berth.desk.Timekeeper;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.ReservationState;
import berth.scheduling.ClusterSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One Berth of a yard: its database, and the processes that run on it, of which one is meant to. */
final class Site {

    /** Of the clock, once nothing goes wrong any more: later than any that was believed, since time does not go back. */
    static final Duration AHEAD_IN_THE_END = Timekeeper.TOLERANCE.multipliedBy(3);

    private final Yard yard;
    private final int number;
    private final Installation installation;
    private final Watch watch;
    private final Intake anywhere;

    /** The one that was started last. */
    private Berth present;

    /** Replaced, but still running. */
    private final List<Berth> replaced = new ArrayList<>();

    private Duration fullUntil = Duration.ZERO;

    /** Until then no commit is known to last. */
    private Duration warnsUntil = Duration.ZERO;

    Site(Yard yard, int number, Installation installation, Watch watch, Intake anywhere) {
        this.yard = yard;
        this.number = number;
        this.installation = installation;
        this.watch = watch;
        this.anywhere = anywhere;
        this.present = new Berth(yard, this);
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
        replaced.removeIf(berth -> !berth.process().isAlive());
        return !replaced.isEmpty() && yard.random().nextInt(3) == 0
                ? replaced.get(yard.random().nextInt(replaced.size()))
                : present;
    }

    boolean isReplaced(Berth berth) {
        return berth != present;
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
        yard.coverage().count("starts");
        yard.tell("a process of %d starts", number);
        present = new Berth(yard, this);
    }

    /** Starts a process again that has died, and lets go wrong what is no matter of a call. */
    void watchOver() {
        if (!present.process().isAlive()) {
            start();
        }
        if (yard.happens(Fault.CLOCK_JUMPS)) {
            present.process().setClock(jump());
        }
        if (yard.happens(Fault.CLOCK_STOPS)) {
            present.process().stopClock();
        }
        if (yard.happens(Fault.DISK_FULL)) {
            fullUntil = yard.simulation().elapsed().plus(yard.upTo(Duration.ofMinutes(2)));
        }
        if (yard.happens(Fault.RIVAL)) {
            replaced.add(present);
            start();
        }
        if (!replaced.isEmpty() && yard.random().nextInt(3) == 0) {
            replaced.removeFirst().process().die();
        }
        if (yard.happens(Fault.CRASH)) {
            present.process().die();
        } else if (yard.happens(Fault.STOP)) {
            present.stop();
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
        if (!present.process().isAlive() || present.isStopping()) {
            present.process().die();
            start();
        }
        present.process().setClock(AHEAD_IN_THE_END);
        present.clock().accept();
    }

    /** Whether all is as it should be: nothing is held, pending or owed for ever. */
    boolean isWell() {
        return present.process().isAlive()
                && present.desks().isRecovered()
                && present.desks().troubles().isEmpty()
                && pending().isEmpty()
                && unsettled().isEmpty()
                && owing().isEmpty()
                && held().isEmpty();
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
