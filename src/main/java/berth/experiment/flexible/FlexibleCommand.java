package berth.experiment.flexible;

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
import picocli.CommandLine.Spec;

/** {@code berth experiment 000}: runs the study of paper 000 and says which of its claims it reproduces. */
@Command(
        name = "000",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Paper 000: how much of a machine advance reservations use, by the order in which the waiting queue is placed"
                    + " anew and by how flexible they are.",
            "",
            "128 PEs and windows of 15 days, each run by itself; every job becomes an advance reservation, half of them"
                    + " flexible. Five orders, four intervals, three loads; run times exact or overestimated;"
                    + " reservations fixed after a share of their waiting time; alternatives to what is refused."
                    + " Equal options give equal files, whatever the number of threads."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the study has run, whatever the verdicts",
            "1:a run broke a rule that every schedule keeps, or the files could not be written",
            "2:an option is wrong"
        })
public final class FlexibleCommand implements Callable<Integer> {
    static final int FAILED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final LogStudyOptions options = new LogStudyOptions();

    /** Runs the study; the exit code is one of those listed in the help. */
    @Override
    public Integer call() {
        var study = new FlexibleStudy(options.jobs(FlexibleStudy.WINDOW), options.seed());
        int threads = options.threads();
        Optional<ReportDirectory> directory = options.directory();
        try {
            FlexibleResults results;
            try (Progress progress = Progress.of("experiment 000", study.runs().size())) {
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
