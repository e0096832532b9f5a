package berth.lab.experiment;

import berth.lab.workload.JobWindows;
import berth.lab.workload.SkipReason;
import berth.lab.workload.UnusableLog;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a study that divides a log into windows. */
public final class LogStudyOptions {
    private static final int WINDOWS = 48;
    private static final int QUICK_WINDOWS = 3;
    private static final int MAX = 1000;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description =
                    "The log, in the Standard Workload Format or the output of Slurm's sacct --parsable2, gzip-compressed"
                            + " or not; the papers used the log of the SDSC SP2. Unusable lines are counted and left out."
                            + " By default, jobs of the model of Lublin and Feitelson replace it.")
    private Optional<Path> log = Optional.empty();

    @Option(
            names = "--windows",
            paramLabel = "N",
            description =
                    "Number of windows of 15 days to use: the first ones with jobs, 1 to 1000, or fewer if the log has fewer; "
                            + "default " + WINDOWS + ".")
    private Optional<Integer> windows = Optional.empty();

    /**
     * Returns the jobs in windows of {@code length} seconds, each with at least one job of which papers 000 and 003 make a request.
     *
     * @throws ParameterException naming the wrong option and its value
     */
    public JobWindows jobs(StudyOptions study, long length) {
        int most = study.within("--windows", windows.orElse(windows(study)), MAX);
        return jobs(study, "--log is", log, most, length);
    }

    /**
     * Returns the jobs of a log, or of the model that replaces it, in the first {@value #WINDOWS} windows, {@value #QUICK_WINDOWS} for a
     * quick run; fewer if the log has fewer.
     *
     * @param given how the log was given, as in {@code --log is}
     * @throws ParameterException if the log is unusable
     */
    public static JobWindows jobs(StudyOptions study, String given, Optional<Path> log, long length) {
        return jobs(study, given, log, windows(study), length);
    }

    private static int windows(StudyOptions study) {
        return study.extent().of(QUICK_WINDOWS, WINDOWS);
    }

    private static JobWindows jobs(StudyOptions study, String given, Optional<Path> log, int most, long length) {
        if (log.isEmpty()) {
            return JobWindows.modelled(study.seed(), most, length);
        }
        try {
            JobWindows jobs = JobWindows.ofLog(log.get(), length);
            study.tell(log.get(), jobs.faults());
            return jobs.having(job -> SkipReason.reason(job, Sp2Setup.PES).isEmpty())
                    .orElseThrow(() -> new IllegalArgumentException(
                            "no window has a job of at least one minute on at most %d PEs. Give another log."
                                    .formatted(Sp2Setup.PES)))
                    .first(most);
        } catch (UnusableLog | IllegalArgumentException e) {
            throw study.wrong("%s %s: %s".formatted(given, log.get(), e.getMessage()));
        }
    }
}
