package berth.experiment.slots;

import berth.cluster.Binding;
import berth.experiment.Claim;
import berth.experiment.ClaimReport;
import berth.experiment.CurveTable;
import berth.experiment.ReportDirectory;
import berth.simulation.BrokenRule;
import berth.terminal.Progress;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth experiment 004}: runs the study of paper 004 and says which of its claims it reproduces. */
@Command(
        name = "004",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Paper 004: how much seven placement policies accept, and how long what they accept waits.",
            "",
            "1024 PEs and modelled requests; umed from 5 to 9, the arrival factor from 0.5 to 1.5, and the artime and"
                    + " deadline factors from 1 to 5 vary one at a time about 7, 1 and 3. All policies get the same"
                    + " requests. Equal options give equal files, whatever the number of threads."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the study has run, whatever the verdicts",
            "1:a run broke a rule that every schedule keeps, or the files could not be written",
            "2:an option is wrong"
        })
public final class SlotCommand implements Callable<Integer> {
    static final int FAILED = 1;

    private static final int REPETITIONS = 10;
    private static final int JOBS = 10_000;
    private static final int QUICK_REPETITIONS = 3;
    private static final int QUICK_JOBS = 2_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--quick",
            description = "A small study: " + QUICK_REPETITIONS + " repetitions of " + QUICK_JOBS
                    + " requests, unless --repetitions or --jobs say otherwise.")
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
            description = "Requests of each run, 1 to 1000000; " + JOBS + " unless given.")
    private Optional<Integer> jobs = Optional.empty();

    @Option(
            names = "--load",
            paramLabel = "X",
            defaultValue = "0.8",
            description =
                    "PE-seconds asked for / (PEs * time) where umed is 7 and the arrival factor 1, more than 0 and"
                            + " 10 at most; ${DEFAULT-VALUE} unless given.")
    private double load;

    @Option(
            names = "--binding",
            paramLabel = "EARLY|LATE",
            defaultValue = "EARLY",
            description =
                    "When it is settled which PEs a reservation gets: as it is accepted, as in the paper, or as its"
                            + " run starts; ${DEFAULT-VALUE} unless given.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Binding binding;

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
        SlotStudy study = study();
        int atATime = within("--threads", threads.orElseGet(Runtime.getRuntime()::availableProcessors), 1000);
        Optional<ReportDirectory> directory = out.map(this::directory);
        try {
            SlotResults results;
            try (Progress progress = Progress.of("experiment 004", study.runs().size())) {
                results = study.results(atATime, progress::step);
            }
            List<Claim> claims = results.claims();
            print(results, claims);
            directory.ifPresent(files -> {
                files.write("runs.csv", results.runs());
                files.write("means.csv", results.means());
                files.write("claims.csv", ClaimReport.table(claims));
            });
            return 0;
        } catch (BrokenRule | UncheckedIOException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(e.getMessage());
            err.flush();
            return FAILED;
        }
    }

    private SlotStudy study() {
        if (!(load > 0 && load <= 10)) {
            throw wrong("--load is %s: give more than 0, and 10 at most.".formatted(load));
        }
        return new SlotStudy(
                seed,
                within("--repetitions", repetitions.orElse(isQuick ? QUICK_REPETITIONS : REPETITIONS), 1000),
                within("--jobs", jobs.orElse(isQuick ? QUICK_JOBS : JOBS), 1_000_000),
                load,
                binding);
    }

    private int within(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw wrong("%s is %d: give 1 to %d.".formatted(option, value, most));
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

    private void print(SlotResults results, List<Claim> claims) {
        PrintWriter screen = spec.commandLine().getOut();
        SlotStudy study = results.study();
        screen.printf(
                Locale.ROOT,
                "Paper 004: %d PEs bound %s, %d repetitions of %d requests, seed %d, offered load %s (a job every %.1f s)%n",
                SlotStudy.PES,
                study.binding(),
                study.repetitions(),
                study.jobs(),
                study.seed(),
                study.load(),
                study.meanGap());
        for (Sweep sweep : Sweep.values()) {
            CurveTable.print("accepted, in percent", sweep.axis(), results.curves(sweep, Measure.ACCEPTANCE), screen);
            CurveTable.print("mean slowdown", sweep.axis(), results.curves(sweep, Measure.SLOWDOWN), screen);
        }
        ClaimReport.print(claims, screen);
    }
}
