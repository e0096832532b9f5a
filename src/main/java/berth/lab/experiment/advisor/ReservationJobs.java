package berth.lab.experiment.advisor;

import berth.lab.experiment.RunEnds;
import berth.lab.experiment.RunEnds.AfterPercent;
import berth.lab.experiment.RunEnds.AsLogged;
import berth.lab.experiment.RunEnds.AsReserved;
import berth.lab.simulation.Job;
import berth.lab.workload.AdvanceReservationRecipe;
import berth.lab.workload.ReservationRequest;
import berth.lab.workload.SkipReason;
import berth.lab.workload.SwfJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * The advance reservations of a window's jobs, and the ends of their runs. The draws for one do not depend on the other or on the load.
 *
 * @param recipe makes requests from jobs
 * @param load the factor by which requests are denser, more than 0
 */
record ReservationJobs(AdvanceReservationRecipe recipe, double load, RunEnds ends) {
    private static final int ALL = 100;

    /** Returns the requests of a window's jobs in the order of submission, without skipped jobs. */
    List<Job> of(List<SwfJob> window) {
        var requests = recipe.draws();
        IntSupplier percent = ends instanceof AfterPercent part ? part.draws(recipe.seed()) : () -> ALL;
        List<Job> asked = new ArrayList<>();
        for (SwfJob job : window) {
            SwfJob denser = reserving(job).submittedAt((long) (job.submit() / load));
            if (leftOut(job).isEmpty() && requests.requestOf(denser) instanceof ReservationRequest request) {
                asked.add(ending(request, job, percent));
            }
        }
        return asked;
    }

    /** Returns why a job makes no request; empty if it makes one. It must have run for a minute, whatever is reserved for it. */
    Optional<SkipReason> leftOut(SwfJob job) {
        return SkipReason.reason(job, recipe.machinePes())
                .or(() -> SkipReason.reason(reserving(job), recipe.machinePes()));
    }

    /** Returns the job with the run time that is reserved for it. */
    private SwfJob reserving(SwfJob job) {
        return switch (ends) {
            case AsLogged() when job.requestedTime() > 0 -> job.running(job.requestedTime());
            case AsLogged(), AsReserved(), AfterPercent(var _) -> job;
        };
    }

    private Job ending(ReservationRequest request, SwfJob job, IntSupplier percent) {
        Job whole = Job.asReserved(request);
        return switch (ends) {
            case AsReserved(), AfterPercent(var _) -> whole.taking(percent.getAsInt());
            case AsLogged() -> whole.endingAfter(Math.min(job.runTime(), request.duration()));
        };
    }
}
