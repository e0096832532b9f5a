package berth.experiment.priority;

import berth.experiment.LogStudyReport;
import berth.experiment.ReportDirectory;
import berth.simulation.BrokenRule;
import berth.terminal.Progress;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth experiment 002}: runs the study of paper 002 and says which of its claims it reproduces. */
@Command(
        name = "002",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Paper 002: requests in the order of DPSAR, by the priority of their users and their length, against requests as"
                    + " they come.",
            "",
            "5 resources of 47 PEs, 50 users with 100 jobs each; none to 30 % of the jobs with advance reservations."
                    + " Equal options give equal files, whatever the number of threads."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the study has run, whatever the verdicts",
            "1:a run broke a rule that every schedule keeps, or the files could not be written",
            "2:an option is wrong"
        })
public final class PriorityCommand implements Callable<Integer> {
    static final int FAILED = 1;

    private static final int REPETITIONS = 300;
    private static final int QUICK_REPETITIONS = 5;
    private static final int USERS = 50;
    private static final int JOBS = 100;
    private static final int MOST = 1000;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--quick",
            description = "A small study: " + QUICK_REPETITIONS + " repetitions, unless --repetitions says otherwise.")
    private boolean isQuick;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the whole study; ${DEFAULT-VALUE} unless given.")
    private long seed;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "Repetitions of each run, 1 to 1000, each with a seed of its own; " + REPETITIONS
                    + " unless given.")
    private Optional<Integer> repetitions = Optional.empty();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "" + JOBS,
            description = "Jobs of each of the " + USERS + " users, 1 to 1000; ${DEFAULT-VALUE} unless given.")
    private int jobs;

    @Option(
            names = "--spread",
            paramLabel = "HOURS",
            defaultValue = "24",
            description = "In which the chosen starts of reserved jobs lie, more than 0 and 1000 at most;"
                    + " ${DEFAULT-VALUE} unless given.")
    private double spread;

    @Option(
            names = "--scale",
            paramLabel = "X",
            defaultValue = "1",
            description = "What the lengths of jobs are multiplied by, more than 0 and 10 at most;"
                    + " ${DEFAULT-VALUE} unless given.")
    private double scale;

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

    /** Runs the study; the exit code is one of those listed in the help. */
    @Override
    public Integer call() {
        var study = new PriorityStudy(
                seed,
                within("--repetitions", repetitions.orElse(isQuick ? QUICK_REPETITIONS : REPETITIONS)),
                new GridRecipe(
                        USERS,
                        within("--jobs", jobs),
                        positive("--spread", spread, MOST),
                        positive("--scale", scale, 10)));
        int atATime = within("--threads", threads.orElseGet(Runtime.getRuntime()::availableProcessors));
        Optional<ReportDirectory> directory = out.map(this::directory);
        try {
            PriorityResults results;
            try (Progress progress = Progress.of("experiment 002", study.runs().size())) {
                results = study.results(atATime, progress::step);
            }
            LogStudyReport report = results.report();
            report.print(spec.commandLine().getOut());
            directory.ifPresent(report::writeTo);
            return 0;
        } catch (BrokenRule | UncheckedIOException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(e.getMessage());
            err.flush();
            return FAILED;
        }
    }

    private int within(String option, int value) {
        if (value < 1 || value > MOST) {
            throw wrong("%s is %d: give 1 to %d.".formatted(option, value, MOST));
        }
        return value;
    }

    private double positive(String option, double value, int most) {
        if (!(value > 0 && value <= most)) {
            throw wrong("%s is %s: give more than 0, and %d at most.".formatted(option, value, most));
        }
        return value;
    }

    private ReportDirectory directory(Path path) {
        try {
            return ReportDirectory.prepare(path, "runs.csv", "means.csv", "claims.csv");
        } catch (IllegalArgumentException e) {
            throw wrong("--out is %s: %s".formatted(path, e.getMessage()));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
