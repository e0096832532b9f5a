package berth.simulation;

import berth.cluster.Cluster;
import berth.reservation.AgendaItem;
import berth.scheduling.AdvanceClock;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Command;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Rejection;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A cluster under simulated time: the core decides, and whoever simulates says when something comes from outside. The clock
 * jumps to whatever is next; in which order things happen at one instant is for the simulation to say. Not thread-safe.
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
     * A cluster on which nothing has happened yet.
     *
     * @param witness hears of every event when its schedule is current
     */
    public static SimulatedCluster empty(Cluster cluster, Consumer<Event> witness) {
        return new SimulatedCluster(ClusterSchedule.empty(cluster), new PriorityQueue<>(EarlyEnd.ORDER), witness);
    }

    /** A second one that goes on from the present state by itself. */
    SimulatedCluster fork(Consumer<Event> itsWitness) {
        return new SimulatedCluster(schedule, new PriorityQueue<>(earlyEnds), itsWitness);
    }

    /** A run that ends before its time is over; of those that do at one instant the least goes first. */
    private record EarlyEnd(long at, UUID run, Command completion) {
        static final Comparator<EarlyEnd> ORDER =
                Comparator.comparingLong(EarlyEnd::at).thenComparing(EarlyEnd::run);
    }

    /** As it is now. */
    public ClusterSchedule schedule() {
        return schedule;
    }

    /** When something happens next by itself; {@link Long#MAX_VALUE} if nothing does. */
    public long next() {
        long due = schedule.nextDue().map(AgendaItem::at).orElse(Long.MAX_VALUE);
        var end = earlyEnds.peek();
        return end == null ? due : Math.min(due, end.at());
    }

    /** Lets happen what is on the agenda at an instant, then early ends. None may have been left out before it. */
    public void advanceTo(long now) {
        decide(new AdvanceClock(Integer.MAX_VALUE), now);
        for (var end = earlyEnds.peek(); end != null && end.at() == now; end = earlyEnds.peek()) {
            earlyEnds.remove();
            decide(end.completion(), now);
        }
    }

    /**
     * Has a run end before its time is over.
     *
     * @param completion to be decided then
     */
    void endsEarly(long at, UUID run, Command completion) {
        earlyEnds.add(new EarlyEnd(at, run, completion));
    }

    /**
     * Decides what cannot be refused.
     *
     * @throws BrokenRule if it is
     */
    public void decide(Command command, long now) {
        ask(command, now).ifPresent(reason -> {
            throw new BrokenRule("%s was refused at %d: %s.".formatted(command, now, reason));
        });
    }

    /** Decides, and answers why it was refused, if it was. */
    public Optional<Rejection> ask(Command command, long now) {
        return switch (command.decide(schedule, now)) {
            case Decision.Rejected(var reason) -> Optional.of(reason);
            case Decision.Accepted(var events, var next) -> {
                schedule = next;
                events.forEach(witness);
                yield Optional.empty();
            }
        };
    }
}
