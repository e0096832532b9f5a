package berth.workload;

/**
 * A job for a batch queue: paper 001, section 2.
 *
 * @param number the job's number in the log
 * @param submit when it is submitted, in seconds on the clock of the log (j_sbt)
 * @param pes PEs it needs, at least 1 (j_np)
 * @param estimate how long it runs at the most, in seconds (j_eet)
 * @param runTime how long it really runs, in seconds, at least 1 and at most the estimate (j_aet)
 */
public record QueuedJob(long number, long submit, int pes, long estimate, long runTime) {

    /** @throws IllegalArgumentException if it needs no PEs or no time, or runs longer than its estimate */
    public QueuedJob {
        if (pes < 1 || runTime < 1 || estimate < runTime) {
            throw new IllegalArgumentException(
                    "A job of %d PEs that runs %d of %d s is none.".formatted(pes, runTime, estimate));
        }
    }

    /** The same job on that many PEs at the most. */
    public QueuedJob onAtMost(int most) {
        return new QueuedJob(number, submit, Math.min(pes, most), estimate, runTime);
    }

    /** The same job, submitted at another time. */
    public QueuedJob submittedAt(long time) {
        return new QueuedJob(number, time, pes, estimate, runTime);
    }

    /** The same job, of which is known how long it runs. */
    public QueuedJob exactlyEstimated() {
        return new QueuedJob(number, submit, pes, runTime, runTime);
    }
}
