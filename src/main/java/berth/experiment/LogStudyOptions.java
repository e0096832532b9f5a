package berth.experiment;

import berth.workload.JobWindows;
import berth.workload.SwfException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a study of a log that is cut into windows. */
public final class LogStudyOptions {
    private static final int WINDOWS = 48;
    private static final int QUICK_WINDOWS = 4;
    private static final int MOST = 1000;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--quick",
            description = "A small study: " + QUICK_WINDOWS + " windows, unless --windows says otherwise.")
    private boolean isQuick;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description = "The log in the Standard Workload Format, gzip-compressed or not; the papers used that of the"
                    + " SDSC SP2. Unless given, jobs of the model of Lublin and Feitelson stand in for it.")
    private Optional<Path> log = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the whole study; ${DEFAULT-VALUE} unless given.")
    private long seed;

    @Option(
            names = "--windows",
            paramLabel = "N",
            description = "The first windows of 15 days, 1 to 1000, as far as the log has them; " + WINDOWS
                    + " unless given.")
    private Optional<Integer> windows = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Runs at a time, 1 to 1000; as many as there are processors unless given.")
    private Optional<Integer> threads = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "A directory, made if need be, that gets runs.csv (every run), means.csv (every point of the"
                    + " curves) and claims.csv (every check of the claims). None of them may be there yet.")
    private Optional<Path> out = Optional.empty();

    /** Seed of the whole study. */
    public long seed() {
        return seed;
    }

    /**
     * The jobs, in windows of {@code length} seconds.
     *
     * @throws ParameterException naming the option and the value that are wrong
     */
    public JobWindows jobs(long length) {
        int most = within("--windows", windows.orElse(isQuick ? QUICK_WINDOWS : WINDOWS));
        if (log.isEmpty()) {
            return JobWindows.modelled(seed, most, length);
        }
        try {
            return JobWindows.ofLog(log.get(), length).first(most);
        } catch (SwfException | IllegalArgumentException e) {
            throw wrong("--log is %s: %s".formatted(log.get(), e.getMessage()));
        }
    }

    /** Runs at a time. */
    public int threads() {
        return within("--threads", threads.orElseGet(Runtime.getRuntime()::availableProcessors));
    }

    /** Where the tables are to be written, if anywhere; ready for it. */
    public Optional<ReportDirectory> directory() {
        return out.map(path -> {
            try {
                return ReportDirectory.prepare(path, "runs.csv", "means.csv", "claims.csv");
            } catch (IllegalArgumentException e) {
                throw wrong("--out is %s: %s".formatted(path, e.getMessage()));
            }
        });
    }

    private int within(String option, int value) {
        if (value < 1 || value > MOST) {
            throw wrong("%s is %d: give 1 to %d.".formatted(option, value, MOST));
        }
        return value;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
