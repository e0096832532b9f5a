package berth.experiment.whatif;

import berth.experiment.Extent;
import berth.workload.BatchLog;
import berth.workload.UnusableLog;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The jobs of a study of batch jobs.
 *
 * @param first of a log, or of the model
 * @param next those of the log that come after them, as many if there are; empty: there are none
 */
record QueueJobs(BatchLog first, Optional<BatchLog> next) {
    /** How many the paper has. */
    static final int WHOLE = 2000;

    /** A tenth of them is made requests: of fewer there is nothing to tell. */
    static final int FEWEST = 50;

    private static final int QUICK = 500;

    /** How many are looked at unless told otherwise. */
    static int most(Extent extent) {
        return extent.of(QUICK, WHOLE);
    }

    /**
     * The first {@code most} jobs of a log and those after them; without a log, jobs of the model of Lublin and Feitelson.
     *
     * @throws UnusableLog if the log cannot be read or none of its lines is a job
     * @throws IllegalArgumentException if it is of no use, see {@link BatchLog#ofLog}, or has too few jobs
     */
    static QueueJobs of(Optional<Path> log, int most, long seed) {
        return log.map(path -> enough(BatchLog.ofLog(path, 2 * most)))
                .map(both -> new QueueJobs(both.first(most), both.after(most)))
                .orElseGet(() -> new QueueJobs(BatchLog.modelled(seed, most), Optional.empty()));
    }

    private static BatchLog enough(BatchLog log) {
        if (log.jobs().size() < FEWEST) {
            throw new IllegalArgumentException(
                    "%s has %d jobs with a run time, PEs and an estimate, and a study needs %d. Give a longer log."
                            .formatted(log.source(), log.jobs().size(), FEWEST));
        }
        return log;
    }
}
