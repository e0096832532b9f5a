package berth.lab.workload;

/**
 * A job as an advance reservation: PEs for a duration within {@code [readyTime, deadline)}. All times are in whole seconds, on the clock of
 * the log unless shifted.
 *
 * @param job the job's number in the log
 * @param submit the time of the request
 * @param readyTime the earliest start
 * @param deadline the latest finish, at least {@code duration} after {@code readyTime}
 * @param duration the run time, at least 1
 * @param pes the PEs, at least 1
 */
public record ReservationRequest(long job, long submit, long readyTime, long deadline, long duration, int pes)
        implements RecipeResult {

    /** @throws IllegalArgumentException if the run does not fit into its window, or needs no time or no PEs */
    public ReservationRequest {
        if (duration < 1 || pes < 1) {
            throw new IllegalArgumentException(
                    "The duration (%d) and the PEs (%d) of a request must be positive.".formatted(duration, pes));
        }
        if (deadline - readyTime < duration) {
            throw new IllegalArgumentException("The window [%d, %d) of a request must hold its duration (%d)."
                    .formatted(readyTime, deadline, duration));
        }
    }

    /** Returns the same request on a clock that is {@code seconds} ahead. */
    public ReservationRequest shiftedBy(long seconds) {
        return new ReservationRequest(job, submit + seconds, readyTime + seconds, deadline + seconds, duration, pes);
    }

    /** Returns the request as a batch job, with its duration as the estimate. */
    public QueuedJob asJob() {
        return new QueuedJob(job, submit, pes, duration, duration);
    }

    /** Returns the PE-seconds of the request. */
    public double area() {
        return (double) duration * pes;
    }
}
