package berth.experiment.adaptive;

import berth.experiment.LogStudyOptions;
import berth.experiment.LogStudyReport;
import berth.experiment.ReportDirectory;
import berth.simulation.BrokenRule;
import berth.terminal.Progress;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth experiment 003}: runs the study of paper 003 and says which of its claims it reproduces. */
@Command(
        name = "003",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Paper 003: what a provider earns, and how long clients wait, where requests may be molded and split, and where"
                    + " the waiting queue is placed anew with every newcomer.",
            "",
            "128 PEs and windows of 15 days, each run by itself. Six types of requests, two schedulers, six loads, and"
                    + " an incentive for requests that may be split. Equal options give equal files, whatever the number"
                    + " of threads."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the study has run, whatever the verdicts",
            "1:a run broke a rule that every schedule keeps, or the files could not be written",
            "2:an option is wrong"
        })
public final class AdaptiveCommand implements Callable<Integer> {
    static final int FAILED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final LogStudyOptions options = new LogStudyOptions();

    @Option(
            names = "--jobs",
            paramLabel = "ALL|LARGE|SAMPLE",
            defaultValue = "ALL",
            description =
                    "Which of the jobs of a minute or longer become requests: all; those of half an hour or longer"
                            + " on 8 PEs or more; or 27.4 %% by chance. ${DEFAULT-VALUE} unless given.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private JobSelection selection;

    /** Runs the study; the exit code is one of those listed in the help. */
    @Override
    public Integer call() {
        var study = new AdaptiveStudy(options.jobs(AdaptiveStudy.WINDOW), selection, options.seed());
        int threads = options.threads();
        Optional<ReportDirectory> directory = options.directory();
        try {
            AdaptiveResults results;
            try (Progress progress = Progress.of("experiment 003", study.runs().size())) {
                results = study.results(threads, progress::step);
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
}
