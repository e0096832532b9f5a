package berth.lab.experiment;

import berth.lab.workload.LogFaults;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every study. */
public final class StudyOptions {
    private static final int MAX = 1000;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--quick", description = "Run a small study, which takes seconds.")
    private boolean isQuick;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the whole study; default ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Number of runs at a time, 1 to 1000; by default the number of processors.")
    private Optional<Integer> threads = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = {
                "Directory for the results, created if necessary. It gets a page (index.html), and for each study runs.csv (every"
                        + " run), means.csv (every point of the curves), claims.csv (every check of the claims) and charts. With other readings, readings.md has the"
                        + " verdicts of all claims under all readings.",
                "The directory keeps every run as soon as it is done. If a command is interrupted, the same command goes on from"
                        + " there."
            })
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--shard",
            paramLabel = "K/N",
            description = {
                "Makes one of N shards, each on its own machine, with equal options and a directory --out that all machines see. A"
                        + " shard makes every Nth run of all studies, in an order that is the same for all shards, and no tables. K is 0 to"
                        + " N - 1, and N is 1 to 10000.",
                "When all N shards are done, the same command without --shard reads their runs, makes the missing ones, and"
                        + " writes the same results as one machine would."
            })
    private Optional<String> shard = Optional.empty();

    @Option(
            names = "--readings",
            description =
                    "Also run the other readings of what the paper leaves open, to show which of them a verdict depends on.")
    private boolean hasReadings;

    @Option(
            names = "--every-claim",
            description =
                    "Under the other readings, judge every claim, not only those for which a reading may matter most. This takes"
                            + " about twice as many runs. The table of all verdicts is readings.md in the directory --out.")
    private boolean judgesEveryClaim;

    /** Returns the claims that studies of other readings judge. */
    public Judged judged() {
        return judgesEveryClaim ? Judged.ALL : Judged.SOME;
    }

    /** Whether other readings of the papers are run as well. */
    boolean hasReadings() {
        return hasReadings;
    }

    /** Returns how much of a study is run. */
    public Extent extent() {
        return isQuick ? Extent.QUICK : Extent.WHOLE;
    }

    /** Returns the seed of the whole study. */
    public long seed() {
        return seed;
    }

    /**
     * Returns the number of parallel runs.
     *
     * @throws ParameterException if it is out of range
     */
    int threads() {
        return within("--threads", threads.orElseGet(Runtime.getRuntime()::availableProcessors), MAX);
    }

    /**
     * Returns the directory for findings, ready for use; empty if none is given.
     *
     * @throws ParameterException if it is unusable
     */
    Optional<ReportDirectory> directory() {
        return out.map(path -> {
            try {
                return ReportDirectory.prepare(path);
            } catch (UnusableDirectory e) {
                throw wrong("--out is %s: %s".formatted(path, e.getMessage()));
            }
        });
    }

    /**
     * Returns the shard to run; empty for all runs.
     *
     * @throws ParameterException if the shard is invalid, or there is no directory for its runs
     */
    Optional<Shard> shard() {
        return shard.map(name -> {
            Shard known = Shard.named(name)
                    .orElseThrow(() ->
                            wrong("--shard is %s: give K/N, with N from 1 to %d and K from 0 to N - 1, such as 0/16."
                                    .formatted(name, Shard.MAX)));
            if (out.isEmpty()) {
                throw wrong("--shard is %s: give --out as well, the directory that keeps the runs.".formatted(name));
            }
            return known;
        });
    }

    /** Whether the command line has an option. */
    public boolean isGiven(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    /**
     * Returns the value of an option, which must be at least 1.
     *
     * @throws ParameterException if it is less than 1 or more than {@code most}
     */
    public int within(String option, int value, int most) {
        return within(option, value, 1, most);
    }

    /**
     * Returns the value of an option.
     *
     * @throws ParameterException if it is less than {@code least} or more than {@code most}
     */
    public int within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw wrong("%s is %d: give %d to %d.".formatted(option, value, least, most));
        }
        return value;
    }

    /**
     * Returns the value of an option, which must be more than 0.
     *
     * @throws ParameterException if it is not positive or more than {@code most}
     */
    public double positive(String option, double value, int most) {
        if (!(value > 0 && value <= most)) {
            throw wrong("%s is %s: give more than 0 and at most %d.".formatted(option, value, most));
        }
        return value;
    }

    /** Prints the faults of a log's lines to the standard error. */
    public void tell(Path log, LogFaults faults) {
        PrintWriter err = spec.commandLine().getErr();
        faults.texts().forEach(fault -> err.println("%s: %s".formatted(log, fault)));
        err.flush();
    }

    /** Returns the error for a wrong option; the message names the option, the value and what to do. */
    public ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
