package berth.lab.experiment.whatif;

import berth.lab.experiment.Extent;
import berth.lab.workload.BatchLog;
import berth.lab.workload.BatchLog.Soundness;
import berth.lab.workload.JobLog;
import berth.lab.workload.UnusableLog;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The jobs of a study of batch jobs.
 *
 * @param first the first jobs of a log or of the model
 * @param next the jobs of the log after these, as many if possible; empty if there are none
 * @param stricter as many jobs of the log under stricter rules for soundness; empty for the model
 */
record QueueJobs(BatchLog first, Optional<BatchLog> next, Map<Soundness, BatchLog> stricter) {
    /** The number of jobs in the paper. */
    static final int WHOLE = 2000;

    /** The fewest jobs: a tenth become requests, and fewer would show nothing. */
    static final int FEWEST = 50;

    private static final int QUICK = 500;

    /** Returns the default number of jobs. */
    static int most(Extent extent) {
        return extent.of(QUICK, WHOLE);
    }

    /**
     * Returns the first {@code most} jobs of a log and those after them; without a log, jobs of the model of Lublin and Feitelson.
     *
     * @throws UnusableLog if the log cannot be read or none of its lines is a job
     * @throws IllegalArgumentException if it is unusable, see {@link BatchLog#ofLog}, or has too few jobs
     */
    static QueueJobs of(Optional<Path> log, int most, long seed) {
        return log.map(path -> of(JobLog.read(path), most))
                .orElseGet(() -> new QueueJobs(BatchLog.modelled(seed, most), Optional.empty(), Map.of()));
    }

    private static QueueJobs of(JobLog log, int most) {
        var both = enough(BatchLog.ofLog(log, Soundness.RAN, 2 * most));
        Map<Soundness, BatchLog> stricter = new EnumMap<>(Soundness.class);
        for (Soundness soundness : List.of(Soundness.IN_TIME, Soundness.COMPLETED)) {
            if (log.jobs().stream().filter(soundness::holds).count() >= FEWEST) {
                stricter.put(soundness, BatchLog.ofLog(log, soundness, most));
            }
        }
        return new QueueJobs(both.first(most), both.after(most), stricter);
    }

    private static BatchLog enough(BatchLog log) {
        if (log.jobs().size() < FEWEST) {
            throw new IllegalArgumentException(
                    "%s has %d jobs with a run time, PEs and an estimate, but a study needs %d. Give a longer log."
                            .formatted(log.source(), log.jobs().size(), FEWEST));
        }
        return log;
    }
}
