package berth.experiment.advisor;

import berth.experiment.RunEnds;
import berth.experiment.RunEnds.AfterPercent;
import berth.experiment.RunEnds.AsLogged;
import berth.experiment.RunEnds.AsReserved;
import berth.simulation.Job;
import berth.workload.AdvanceReservationRecipe;
import berth.workload.ReservationRequest;
import berth.workload.SkipReason;
import berth.workload.SwfJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * The advance reservations that the jobs of a window ask for, and when their runs end. The draws of one do not depend on
 * the other, nor on the load.
 *
 * @param recipe makes requests of jobs
 * @param load by which factor requests come denser, more than 0
 */
record ReservationJobs(AdvanceReservationRecipe recipe, double load, RunEnds ends) {
    private static final int ALL = 100;

    /** What the jobs of a window ask for, in the order of their submission; those that are left out ask for nothing. */
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

    /** Why a job asks for nothing; empty: it asks. It must have run for a minute, whatever is reserved for it. */
    Optional<SkipReason> leftOut(SwfJob job) {
        return SkipReason.reason(job, recipe.machinePes())
                .or(() -> SkipReason.reason(reserving(job), recipe.machinePes()));
    }

    /** The job with the run time that is reserved for it. */
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
