package berth.lab.workload;

/**
 * A job for a batch queue: paper 001, section 2.
 *
 * @param number the job's number in the log
 * @param submit the time of submission, in seconds on the clock of the log (j_sbt)
 * @param pes the PEs it needs, at least 1 (j_np)
 * @param estimate the estimated run time, which the job never exceeds, in seconds (j_eet)
 * @param runTime the actual run time in seconds, at least 1 and at most the estimate (j_aet)
 */
public record QueuedJob(long number, long submit, int pes, long estimate, long runTime) {

    /** @throws IllegalArgumentException if it needs no PEs or no time, or runs longer than its estimate */
    public QueuedJob {
        if (pes < 1 || runTime < 1 || estimate < runTime) {
            throw new IllegalArgumentException(
                    "A job needs at least 1 PE and a run time between 1 s and its estimate, but has %d PEs, %d s and an estimate of %d s."
                            .formatted(pes, runTime, estimate));
        }
    }

    /** Returns the same job, limited to that many PEs. */
    public QueuedJob onAtMost(int most) {
        return new QueuedJob(number, submit, Math.min(pes, most), estimate, runTime);
    }

    /** Returns the same job with another time of submission. */
    public QueuedJob submittedAt(long time) {
        return new QueuedJob(number, time, pes, estimate, runTime);
    }

    /** Returns the same job with an exact estimate. */
    public QueuedJob exactlyEstimated() {
        return new QueuedJob(number, submit, pes, runTime, runTime);
    }
}
