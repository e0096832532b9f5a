package berth.experiment.whatif;

import berth.cluster.AvailabilityMethod;
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

/** {@code berth experiment 001}: runs the study of paper 001 and says which of its claims it reproduces. */
@Command(
        name = "001",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Paper 001: how many reservations are granted beside a batch queue, and how its jobs fare, by how the"
                    + " availability of slots is told.",
            "",
            "A tenth of the jobs of a log become requests for reservations, in 36 settings of book-ahead time and slack, by"
                    + " load and by what-if; compared with the same jobs without reservations. Files: runs.csv (every"
                    + " run), means.csv (every point of the curves), claims.csv (every check of the claims), delays.csv"
                    + " (figure 4), and charts. Equal options give equal files, whatever the number of threads."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the study has run, whatever the verdicts",
            "1:a run broke a rule that every schedule keeps, or the files could not be written",
            "2:an option is wrong"
        })
public final class WhatIfCommand implements Callable<Integer> {
    static final int FAILED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final QueueLogOptions options = new QueueLogOptions();

    /** Runs the study; the exit code is one of those listed in the help. */
    @Override
    public Integer call() {
        int repetitions = options.repetitions();
        int lookedAtAgain = options.isQuick() ? 0 : Math.min(repetitions, QueueLogOptions.REPETITIONS);
        var study = new WhatIfStudy(options.jobs(), options.seed(), repetitions, lookedAtAgain);
        int threads = options.threads();
        Optional<ReportDirectory> directory = options.directory(
                "runs.csv",
                "means.csv",
                "claims.csv",
                "delays.csv",
                "figure3.svg",
                "figure4-load.svg",
                "figure4-what-if.svg");
        try {
            WhatIfResults results;
            try (Progress progress = Progress.of("experiment 001", study.runs().size())) {
                results = study.results(threads, progress::step);
            }
            LogStudyReport report = results.report();
            report.print(spec.commandLine().getOut());
            directory.ifPresent(files -> {
                report.writeTo(files);
                files.write("delays.csv", results.delays());
                files.write("figure3.svg", results.successChart());
                files.write("figure4-load.svg", results.delayChart(AvailabilityMethod.LOAD));
                files.write("figure4-what-if.svg", results.delayChart(AvailabilityMethod.WHAT_IF));
            });
            return 0;
        } catch (BrokenRule | UncheckedIOException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(e.getMessage());
            err.flush();
            return FAILED;
        }
    }
}
