package berth.lab.simulation;

import berth.cluster.Cluster;
import berth.reservation.AgendaItem;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Rejection;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Command;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A cluster under simulated time: the core decides, and the simulation determines when external events happen and the order of events at
 * one instant. The clock jumps to the next event. Not thread-safe.
 */
public final class SimulatedCluster {
    private final Consumer<Event> witness;
    private final PriorityQueue<EarlyEnd> earlyEnds;
    private ClusterSchedule schedule;

    private SimulatedCluster(ClusterSchedule schedule, PriorityQueue<EarlyEnd> earlyEnds, Consumer<Event> witness) {
        this.schedule = schedule;
        this.earlyEnds = earlyEnds;
        this.witness = witness;
    }

    /**
     * Returns an empty cluster.
     *
     * @param witness receives every event once its schedule is current
     */
    public static SimulatedCluster empty(Cluster cluster, Consumer<Event> witness) {
        return new SimulatedCluster(ClusterSchedule.empty(cluster), new PriorityQueue<>(EarlyEnd.ORDER), witness);
    }

    /** Returns a copy that continues independently. */
    SimulatedCluster fork(Consumer<Event> itsWitness) {
        return new SimulatedCluster(schedule, new PriorityQueue<>(earlyEnds), itsWitness);
    }

    /** A run that ends before its time is over; at one instant the lowest id ends first. */
    private record EarlyEnd(long at, UUID run, Command completion) {
        static final Comparator<EarlyEnd> ORDER =
                Comparator.comparingLong(EarlyEnd::at).thenComparing(EarlyEnd::run);
    }

    /** Returns the present schedule. */
    public ClusterSchedule schedule() {
        return schedule;
    }

    /** Returns the time of the next event that happens by itself; {@link Long#MAX_VALUE} if there is none. */
    public long next() {
        long due = schedule.nextDue().map(AgendaItem::at).orElse(Long.MAX_VALUE);
        var end = earlyEnds.peek();
        return end == null ? due : Math.min(due, end.at());
    }

    /** Handles the agenda of an instant, then early ends. No earlier instant may have been skipped. */
    public void advanceTo(long now) {
        decide(new AdvanceClock(Integer.MAX_VALUE), now);
        for (var end = earlyEnds.peek(); end != null && end.at() == now; end = earlyEnds.peek()) {
            earlyEnds.remove();
            decide(end.completion(), now);
        }
    }

    /**
     * Plans that a run ends before its time is over.
     *
     * @param completion the command to decide then
     */
    void endsEarly(long at, UUID run, Command completion) {
        earlyEnds.add(new EarlyEnd(at, run, completion));
    }

    /**
     * Decides a command that cannot be refused.
     *
     * @throws BrokenRule if it is refused
     */
    public void decide(Command command, long now) {
        ask(command, now).ifPresent(reason -> {
            throw new BrokenRule("%s was rejected at %d: %s.".formatted(command, now, reason));
        });
    }

    /** Decides a command and returns the reason if it was refused. */
    public Optional<Rejection> ask(Command command, long now) {
        return switch (command.decide(new Basis(schedule, now))) {
            case Decision.Rejected(var reason) -> Optional.of(reason);
            case Decision.Accepted(var events, var next) -> {
                schedule = next;
                events.forEach(witness);
                yield Optional.empty();
            }
        };
    }
}
