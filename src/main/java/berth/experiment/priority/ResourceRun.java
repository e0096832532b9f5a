package berth.experiment.priority;

import berth.batch.JobId;
import berth.cluster.Cluster;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.AdvanceClock;
import berth.scheduling.Allowance;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Command;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Reserve;
import berth.scheduling.StartJobs;
import berth.scheduling.SubmitJob;
import berth.simulation.BrokenRule;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * A resource under simulated time, by Berth's own scheduler: a job with an advance reservation is reserved at the start that it
 * has chosen, or rejected; any other one joins the batch queue, the paper's resource queue.
 */
final class ResourceRun {

    /**
     * A job that is handed to the resource.
     *
     * @param at when, in seconds from the beginning
     */
    record Handed(GridJob job, boolean isReserved, long at) {}

    /**
     * A job that has run.
     *
     * @param start when it began
     * @param end when it ended
     */
    record Ran(Handed handed, long start, long end) {}

    private final Map<UUID, Handed> accepted = new HashMap<>();
    private final Map<UUID, Long> starts = new HashMap<>();
    private final List<Ran> ran = new ArrayList<>();
    private ClusterSchedule schedule;

    private ResourceRun(Cluster cluster) {
        this.schedule = ClusterSchedule.empty(cluster);
    }

    /**
     * The jobs that have run, by their ends; those that are missing were rejected.
     *
     * @param handed in the order in which they are handed in
     * @throws BrokenRule if a job that was accepted never ran
     */
    static List<Ran> of(Cluster cluster, List<Handed> handed) {
        var run = new ResourceRun(cluster);
        int next = 0;
        while (next < handed.size() || run.schedule.nextDue().isPresent()) {
            long now = run.nextInstant(next < handed.size() ? handed.get(next).at() : Long.MAX_VALUE);
            run.decide(new AdvanceClock(Integer.MAX_VALUE), now);
            for (; next < handed.size() && handed.get(next).at() == now; next++) {
                run.take(handed.get(next));
            }
            run.decide(new StartJobs(), now);
        }
        if (run.ran.size() != run.accepted.size()) {
            throw new BrokenRule(
                    "%d jobs were accepted and %d have run.".formatted(run.accepted.size(), run.ran.size()));
        }
        return run.ran;
    }

    private long nextInstant(long nextHanded) {
        return schedule.nextDue().map(due -> Math.min(due.at(), nextHanded)).orElse(nextHanded);
    }

    private void take(Handed handed) {
        var job = handed.job();
        var id = new UUID(0, job.number());
        var owner = "user" + job.user();
        var command = handed.isReserved()
                ? new Reserve(
                        new ReservationId(id),
                        new Origin(owner, ServiceClass.STANDARD, Optional.empty(), Optional.empty()),
                        RequestedTerms.of(OptionalLong.of(job.start()), OptionalLong.empty(), job.runTime(), 1),
                        OptionalLong.of(job.start()),
                        OptionalLong.empty(),
                        Allowance.UNLIMITED)
                : new SubmitJob(
                        new JobId(id),
                        owner,
                        Optional.empty(),
                        1,
                        RequestedTerms.runTime(job.runTime(), schedule.cluster().rating()));
        if (decide(command, handed.at())) {
            accepted.put(id, handed);
        }
    }

    private boolean decide(Command command, long now) {
        if (!(command.decide(schedule, now) instanceof Decision.Accepted(var events, var next))) {
            return false;
        }
        schedule = next;
        events.forEach(this::note);
        return true;
    }

    private void note(Event event) {
        switch (event) {
            case JobEvent(var type, var job, long at) -> note(type, job.id().value(), at);
            case ReservationEvent(var type, var reservation, long at, var _) ->
                note(type, reservation.id().value(), at);
            default -> throw new BrokenRule("Nothing leads to " + event);
        }
    }

    private void note(Event.Type type, UUID id, long at) {
        switch (type) {
            case JOB_STARTED, STARTED -> starts.put(id, at);
            case JOB_COMPLETED, COMPLETED ->
                ran.add(new Ran(
                        Optional.ofNullable(accepted.get(id)).orElseThrow(),
                        Optional.ofNullable(starts.get(id)).orElseThrow(),
                        at));
            default -> {
                // what is no start and no end does not matter here
            }
        }
    }
}
