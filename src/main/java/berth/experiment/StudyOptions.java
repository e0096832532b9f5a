package berth.experiment;

import berth.workload.LogFaults;
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

    @Option(names = "--quick", description = "A small study, that needs seconds.")
    private boolean isQuick;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the whole study; ${DEFAULT-VALUE} unless given.")
    private long seed;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Runs at a time, 1 to 1000; as many as there are processors unless given.")
    private Optional<Integer> threads = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = {
                "A directory, made if need be, that gets a page to read (index.html), and for each study runs.csv (every"
                        + " run), means.csv (every point of the curves), claims.csv (every check of the claims) and charts.",
                "Runs are kept in it as they are done: what was interrupted goes on where it was when the same command is"
                        + " given again."
            })
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--shard",
            paramLabel = "K/N",
            description = {
                "One of N commands on as many machines, with equal options and a directory --out that all of them see: makes"
                        + " every Nth run of all studies, in an order that is the same for all, and no tables. K goes from 0 to"
                        + " N - 1, N from 1 to 10000.",
                "When the N are done, the same command without --shard reads what they have kept, makes what is missing, and"
                        + " writes what one machine would have written."
            })
    private Optional<String> shard = Optional.empty();

    @Option(
            names = "--readings",
            description = "Also what the paper leaves open read otherwise than we do: on which of it a verdict hangs.")
    private boolean hasReadings;

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
                    .orElseThrow(() -> wrong(
                            "--shard is %s: give K/N, with N from 1 to %d and K from 0 to N - 1, as in 0/16 to 15/16."
                                    .formatted(name, Shard.MAX)));
            if (out.isEmpty()) {
                throw wrong("--shard is %s: it needs --out, the directory that keeps its runs.".formatted(name));
            }
            return known;
        });
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
            throw wrong("%s is %s: give more than 0, and %d at most.".formatted(option, value, most));
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
