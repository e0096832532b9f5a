package berth.simulation;

import berth.workload.ReservationRequest;

/**
 * A request, and how long its run really takes; what is reserved is the duration of the request.
 *
 * @param request asked for at its time of submission
 * @param runTime seconds, at least 1; a run that would take longer than was reserved ends when its slot does
 */
public record Job(ReservationRequest request, long runTime) {

    /** @throws IllegalArgumentException if the run takes no time */
    public Job {
        if (runTime < 1) {
            throw new IllegalArgumentException(
                    "The run time (%d) of job %d must be positive.".formatted(runTime, request.job()));
        }
    }

    /** A job that runs as long as it asks for. */
    public static Job asReserved(ReservationRequest request) {
        return new Job(request, request.duration());
    }
}
