package berth.lab.simulation;

import berth.batch.BatchJob;
import berth.lab.workload.QueuedJob;
import berth.sla.Part;
import berth.time.Slot;

/**
 * The result of a batch job.
 *
 * @param job the submitted job
 * @param ended the job after it ended
 */
public record JobRun(QueuedJob job, BatchJob ended) {

    /** Returns its start (j_stt). */
    public long start() {
        return ended.part().slot().start();
    }

    /** Returns its end. */
    public long end() {
        return ended.endedAt().orElseThrow(() -> new BrokenRule("Job %d has not ended.".formatted(job.number())));
    }

    /** Returns the seconds from its submission to its start. */
    public long waited() {
        return start() - job.submit();
    }

    /** Returns the slot and PEs that it took. */
    Part occupied() {
        var place = ended.part();
        return new Part(new Slot(start(), end()), place.pes(), place.peIds(), 1);
    }
}
