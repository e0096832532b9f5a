package berth.workload;

/**
 * A job as an advance reservation: PEs for a duration, to lie in {@code [readyTime, deadline)}. All times in whole
 * seconds, on the clock of the log unless shifted.
 *
 * @param job the job's number in the log
 * @param submit when the request is made
 * @param readyTime earliest start
 * @param deadline latest finish, at least {@code duration} after {@code readyTime}
 * @param duration length of the run, at least 1
 * @param pes PEs asked for, at least 1
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

    /** The same request on a clock that is {@code seconds} ahead. */
    public ReservationRequest shiftedBy(long seconds) {
        return new ReservationRequest(job, submit + seconds, readyTime + seconds, deadline + seconds, duration, pes);
    }

    /** The job that it is once nobody reserves for it: its duration is its estimate. */
    public QueuedJob asJob() {
        return new QueuedJob(job, submit, pes, duration, duration);
    }

    /** PE-seconds it asks for. */
    public double area() {
        return (double) duration * pes;
    }
}
