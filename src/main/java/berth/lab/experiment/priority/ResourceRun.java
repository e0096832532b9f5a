package berth.lab.experiment.priority;

import berth.batch.BatchJob;
import berth.batch.JobId;
import berth.cluster.Cluster;
import berth.lab.simulation.BrokenRule;
import berth.lab.simulation.JobRun;
import berth.lab.simulation.QueueHistory;
import berth.lab.simulation.SimulatedBooking;
import berth.lab.simulation.SimulatedCluster;
import berth.lab.workload.QueuedJob;
import berth.lab.workload.ReservationRequest;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.scheduling.Event.JobEvent;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.Reserve;
import berth.scheduling.commands.StartJobs;
import berth.scheduling.commands.SubmitJob;
import berth.sla.AccountName;
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
 * A resource under simulated time with Berth's own scheduler. A job with an advance reservation is reserved at its chosen start or
 * rejected; any other job joins the batch queue, which is the paper's resource queue.
 */
final class ResourceRun {

    /**
     * A job that goes to the resource.
     *
     * @param at when, in seconds from the beginning
     */
    record Handed(GridJob job, boolean isReserved, long at) {}

    private final Map<UUID, BatchJob> jobs = new HashMap<>();
    private final Map<UUID, Reservation> reservations = new HashMap<>();
    private final SimulatedCluster simulated;

    private ResourceRun(Cluster cluster) {
        this.simulated = SimulatedCluster.empty(cluster, this::note);
    }

    /**
     * Returns the results of all jobs, which keep their numbers: jobs with reservations are bookings, the others job runs.
     *
     * @param handed the jobs in the order in which they arrive at the resource
     * @throws BrokenRule if a job was lost, a reservation did not run as promised, or another rule was broken that every schedule keeps,
     *     see {@link QueueHistory#check}
     */
    static QueueHistory of(Cluster cluster, List<Handed> handed) {
        var run = new ResourceRun(cluster);
        int next = 0;
        while (next < handed.size() || run.simulated.next() < Long.MAX_VALUE) {
            long nextHanded = next < handed.size() ? handed.get(next).at() : Long.MAX_VALUE;
            long now = Math.min(run.simulated.next(), nextHanded);
            run.simulated.advanceTo(now);
            for (; next < handed.size() && handed.get(next).at() == now; next++) {
                run.take(handed.get(next));
            }
            run.simulated.decide(new StartJobs(), now);
        }
        var history = run.history(cluster, handed);
        history.check();
        return history;
    }

    private void take(Handed handed) {
        if (handed.isReserved()) {
            reserve(handed);
        } else {
            simulated.decide(
                    new SubmitJob(
                            new JobId(id(handed.job())),
                            owner(handed.job()),
                            Optional.empty(),
                            1,
                            runTime(handed.job(), simulated.schedule().cluster())),
                    handed.at());
        }
    }

    private void reserve(Handed handed) {
        var job = handed.job();
        var command = new Reserve(
                new ReservationId(id(job)),
                new Origin(owner(job), ServiceClass.STANDARD),
                RequestedTerms.of(OptionalLong.of(job.start()), OptionalLong.empty(), job.runTime(), 1),
                OptionalLong.of(job.start()),
                OptionalLong.empty());
        // a refused job has no reservation in the end
        simulated.ask(command, handed.at());
    }

    private static UUID id(GridJob job) {
        return new UUID(0, job.number());
    }

    private static AccountName owner(GridJob job) {
        return new AccountName("user" + job.user());
    }

    private static long runTime(GridJob job, Cluster cluster) {
        return RequestedTerms.runTime(job.runTime(), cluster.rating());
    }

    private void note(Event event) {
        switch (event) {
            case JobEvent(var _, var job, var _) -> jobs.put(job.id().value(), job);
            case ReservationEvent(var _, var reservation, var _, var _, var _, var _) ->
                reservations.put(reservation.id().value(), reservation);
            default -> throw new BrokenRule("Nothing leads to " + event);
        }
    }

    private QueueHistory history(Cluster cluster, List<Handed> handed) {
        List<JobRun> runs = new ArrayList<>();
        List<SimulatedBooking> bookings = new ArrayList<>();
        for (var one : handed) {
            var job = one.job();
            long runTime = runTime(job, cluster);
            if (one.isReserved()) {
                var asked =
                        new ReservationRequest(job.number(), one.at(), job.start(), job.start() + runTime, runTime, 1);
                bookings.add(new SimulatedBooking(asked, 0, Optional.ofNullable(reservations.get(id(job)))));
            } else {
                var ended = Optional.ofNullable(jobs.get(id(job)))
                        .orElseThrow(() -> new BrokenRule("Job %d was lost.".formatted(job.number())));
                runs.add(new JobRun(new QueuedJob(job.number(), one.at(), 1, runTime, runTime), ended));
            }
        }
        return new QueueHistory(cluster, runs, bookings);
    }
}
