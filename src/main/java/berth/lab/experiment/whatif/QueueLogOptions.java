package berth.lab.experiment.whatif;

import berth.lab.experiment.StudyOptions;
import berth.lab.workload.UnusableLog;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a study of batch jobs of a log. */
final class QueueLogOptions {
    private static final int MAX_JOBS = 10_000;
    private static final int MAX_REPETITIONS = 1000;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description =
                    "The log, in the Standard Workload Format or the output of Slurm's sacct --parsable2, gzip-compressed"
                            + " or not, with the size of the machine in its header; the paper used the log of the SDSC Blue"
                            + " Horizon. Unusable lines are counted and left out. By default, jobs of the"
                            + " model of Lublin and Feitelson replace it, with estimates drawn for them.")
    private Optional<Path> log = Optional.empty();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Number of sound jobs to use, 50 to 10000, or fewer if the log has fewer; default "
                    + QueueJobs.WHOLE + ".")
    private Optional<Integer> jobs = Optional.empty();

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "Number of random choices of the jobs that become requests, 1 to 1000; default "
                    + WhatIfPaper.REPETITIONS + ", or " + CalibrationPaper.REPETITIONS + " for the calibration.")
    private Optional<Integer> repetitions = Optional.empty();

    /** Returns the repetitions of each run; {@code usual} by default. */
    int repetitions(StudyOptions study, int usual) {
        return study.within("--repetitions", repetitions.orElse(usual), MAX_REPETITIONS);
    }

    /**
     * Returns the jobs.
     *
     * @throws ParameterException naming the wrong option and its value
     */
    QueueJobs jobs(StudyOptions study) {
        int most = jobs.orElse(QueueJobs.most(study.extent()));
        if (most < QueueJobs.FEWEST || most > MAX_JOBS) {
            throw study.wrong("--jobs is %d: give %d to %d.".formatted(most, QueueJobs.FEWEST, MAX_JOBS));
        }
        try {
            QueueJobs queue = QueueJobs.of(log, most, study.seed());
            log.ifPresent(file -> study.tell(file, queue.first().faults()));
            return queue;
        } catch (UnusableLog | IllegalArgumentException e) {
            throw study.wrong(
                    "--log is %s: %s".formatted(log.map(Path::toString).orElse("missing"), e.getMessage()));
        }
    }
}
