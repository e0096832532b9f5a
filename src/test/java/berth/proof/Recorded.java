package berth.proof;

import berth.batch.BatchJob;
import berth.batch.JobState;
import berth.cluster.Outage;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
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
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * An event as the service reports it.
 *
 * @param sequence its number in the history of its cluster
 * @param at seconds since the epoch
 */
public record Recorded(ClusterId cluster, long sequence, Event.Type type, long at, About about) {

    /** The subject of an event, in its state afterwards. */
    public sealed interface About {}

    /** A reservation. */
    public record OfReservation(ReservationId id, Standing after) implements About {}

    /** A collected request. */
    public record OfRequest(ReservationId id, IntakeRequest.State after) implements About {}

    /** A cluster. */
    public record OfCluster(int pes) implements About {}

    /** An outage. */
    public record OfOutage(Outage outage) implements About {}

    /** A batch job, with the part that it takes if it runs. */
    public record OfJob(UUID id, Optional<Part> runs) implements About {}

    /** A waiting batch job that starts later than planned; it takes no part. */
    public record OfDelay(AccountName owner) implements About {}

    /** The budget of a project, which takes no part. */
    public record OfBudget(String project) implements About {}

    /** A change of prices by time, which takes no PEs. */
    public record OfSignal() implements About {}

    /** All running batch jobs of a queue; earlier ones are gone. */
    public record OfQueue(Map<UUID, Part> run) implements About {}

    public static Recorded of(ClusterId cluster, long sequence, Event event) {
        About about = switch (event) {
            case ReservationEvent(var _, var after, var _, var _, var _, var _) ->
                new OfReservation(after.id(), Standing.of(after));
            case RequestEvent(var _, var after, var _) -> new OfRequest(after.id(), after.state());
            case ClusterEvent(var type, var after, var _) ->
                type == Event.Type.SIGNAL_CHANGED ? new OfSignal() : new OfCluster(after.pes());
            case OutageEvent(var _, var after, var _) -> new OfOutage(after);
            case JobEvent(var _, var after, var _) -> new OfJob(after.id().value(), runs(after));
            case DelayEvent(var job, var _, var _) -> new OfDelay(job.owner());
            case JobsEvent(var all, var _) -> {
                var run = new HashMap<UUID, Part>();
                all.forEach(job -> runs(job).ifPresent(part -> run.put(job.id().value(), part)));
                yield new OfQueue(run);
            }
            case BudgetEvent(var budget, var _) -> new OfBudget(budget.project());
        };
        return new Recorded(cluster, sequence, event.type(), event.at(), about);
    }

    private static Optional<Part> runs(BatchJob job) {
        return job.state() == JobState.RUNNING ? Optional.of(job.part()) : Optional.empty();
    }
}
