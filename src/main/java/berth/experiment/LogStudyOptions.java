package berth.experiment;

import berth.workload.JobWindows;
import berth.workload.SkipReason;
import berth.workload.UnusableLog;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a study of a log that is cut into windows. */
public final class LogStudyOptions {
    private static final int WINDOWS = 48;
    private static final int QUICK_WINDOWS = 3;
    private static final int MAX = 1000;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description =
                    "The log, in the Standard Workload Format or the output of Slurm's sacct --parsable2, gzip-compressed"
                            + " or not; the papers used that of the SDSC SP2. Lines that cannot be used are counted and left out."
                            + " Unless given, jobs of the model of Lublin and Feitelson stand in for it.")
    private Optional<Path> log = Optional.empty();

    @Option(
            names = "--windows",
            paramLabel = "N",
            description =
                    "The first windows of 15 days in which there are jobs, 1 to 1000, as far as the log has them; "
                            + WINDOWS + " unless given.")
    private Optional<Integer> windows = Optional.empty();

    /**
     * The jobs, in windows of {@code length} seconds, in each of which there is one that papers 000 and 003 make a request of.
     *
     * @throws ParameterException naming the option and the value that are wrong
     */
    public JobWindows jobs(StudyOptions study, long length) {
        int most = study.within("--windows", windows.orElse(windows(study)), MAX);
        return jobs(study, "--log is", log, most, length);
    }

    /**
     * The same of a log, or of what stands in for it; as many windows as there are unless told otherwise.
     *
     * @param given how the log was given, as in {@code --log is}
     * @throws ParameterException if the log is of no use
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
                            "no window has a job of a minute or longer on %d PEs or fewer. Give another log."
                                    .formatted(Sp2Setup.PES)))
                    .first(most);
        } catch (UnusableLog | IllegalArgumentException e) {
            throw study.wrong("%s %s: %s".formatted(given, log.get(), e.getMessage()));
        }
    }
}
