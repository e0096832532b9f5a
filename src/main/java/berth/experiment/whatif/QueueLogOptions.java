package berth.experiment.whatif;

import berth.experiment.StudyOptions;
import berth.workload.UnusableLog;
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
                            + " or not, with the size of the machine in its header; the paper used that of the SDSC Blue"
                            + " Horizon. Lines that cannot be used are counted and left out. Unless given, jobs of the"
                            + " model of Lublin and Feitelson stand in for it, with estimates drawn for them.")
    private Optional<Path> log = Optional.empty();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "The first sound jobs, 50 to 10000, as far as the log has them; " + QueueJobs.WHOLE
                    + " unless given.")
    private Optional<Integer> jobs = Optional.empty();

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "Choices of the jobs that are made requests, 1 to 1000; " + WhatIfPaper.REPETITIONS
                    + " unless given, " + CalibrationPaper.REPETITIONS + " for the calibration.")
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
