package berth.simulation;

import berth.batch.BatchJob;
import berth.sla.Part;
import berth.time.Slot;
import berth.workload.QueuedJob;

/**
 * What became of a batch job.
 *
 * @param job as it was submitted
 * @param ended as it was when it had ended
 */
public record JobRun(QueuedJob job, BatchJob ended) {

    /** When it began (j_stt). */
    public long start() {
        return ended.part().slot().start();
    }

    /** When it ended. */
    public long end() {
        return ended.endedAt().orElseThrow(() -> new BrokenRule("Job %d has not ended.".formatted(job.number())));
    }

    /** Seconds from its submission to its start. */
    public long waited() {
        return start() - job.submit();
    }

    /** What it took while it ran. */
    Part occupied() {
        var place = ended.part();
        return new Part(new Slot(start(), end()), place.pes(), place.peIds(), 1);
    }
}
