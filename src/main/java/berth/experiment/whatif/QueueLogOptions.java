package berth.experiment.whatif;

import berth.experiment.ReportDirectory;
import berth.workload.BatchLog;
import berth.workload.UnusableLog;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a study of batch jobs of a log. */
final class QueueLogOptions {
    /** Unless given. */
    static final int REPETITIONS = 10;

    private static final int JOBS = 2000;
    private static final int QUICK_JOBS = 500;
    private static final int FEWEST_JOBS = 50;
    private static final int MOST_JOBS = 10_000;
    private static final int QUICK_REPETITIONS = 2;
    private static final int MOST = 1000;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--quick",
            description = "A small study: " + QUICK_JOBS + " jobs and " + QUICK_REPETITIONS
                    + " repetitions, unless --jobs or --repetitions say"
                    + " otherwise.")
    private boolean isQuick;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description =
                    "The log in the Standard Workload Format, gzip-compressed or not; the paper used that of the SDSC"
                            + " Blue Horizon. Unless given, jobs of the model of Lublin and Feitelson stand in for it, with"
                            + " estimates drawn for them.")
    private Optional<Path> log = Optional.empty();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "The first sound jobs, 50 to 10000, as far as the log has them; " + JOBS + " unless given.")
    private Optional<Integer> jobs = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the whole study; ${DEFAULT-VALUE} unless given.")
    private long seed;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "Choices of the jobs that are made requests, 1 to 1000; " + REPETITIONS
                    + " unless given. What the paper leaves open is looked at in 10 at most.")
    private Optional<Integer> repetitions = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Runs at a time, 1 to 1000; as many as there are processors unless given.")
    private Optional<Integer> threads = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "A directory, made if need be, that gets the tables and charts. None of them may be there yet.")
    private Optional<Path> out = Optional.empty();

    boolean isQuick() {
        return isQuick;
    }

    /** Seed of the whole study. */
    long seed() {
        return seed;
    }

    int repetitions() {
        return within("--repetitions", repetitions.orElse(isQuick ? QUICK_REPETITIONS : REPETITIONS), 1, MOST);
    }

    /** Runs at a time. */
    int threads() {
        return within("--threads", threads.orElseGet(Runtime.getRuntime()::availableProcessors), 1, MOST);
    }

    /**
     * The jobs.
     *
     * @throws ParameterException naming the option and the value that are wrong
     */
    BatchLog jobs() {
        int most = within("--jobs", jobs.orElse(isQuick ? QUICK_JOBS : JOBS), FEWEST_JOBS, MOST_JOBS);
        if (log.isEmpty()) {
            return BatchLog.modelled(seed, most);
        }
        try {
            BatchLog sound = BatchLog.ofLog(log.get(), most);
            sound.faults()
                    .texts()
                    .forEach(fault -> spec.commandLine().getErr().println("%s: %s".formatted(log.get(), fault)));
            return sound;
        } catch (UnusableLog | IllegalArgumentException e) {
            throw wrong("--log is %s: %s".formatted(log.get(), e.getMessage()));
        }
    }

    /** Where the files are to be written, if anywhere; ready for it. */
    Optional<ReportDirectory> directory(String... files) {
        return out.map(path -> {
            try {
                return ReportDirectory.prepare(path, files);
            } catch (IllegalArgumentException e) {
                throw wrong("--out is %s: %s".formatted(path, e.getMessage()));
            }
        });
    }

    private int within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw wrong("%s is %d: give %d to %d.".formatted(option, value, least, most));
        }
        return value;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
