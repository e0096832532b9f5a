package berth.experiment.whatif;

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

/** {@code berth experiment calibration}: says how well the availability of a slot foretells the delay of jobs. */
@Command(
        name = "calibration",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Paper 001, beyond the paper: does the availability of a slot foretell how much jobs are delayed?",
            "",
            "At every request of a run with 10 h of slack, booked at once or 12 h ahead, each slot is granted in turn and the run"
                    + " taken on from there; with the users' estimates and with exact ones. Files: runs.csv (every slot)"
                    + " means.csv (every point of the tables) and a chart. Equal options give equal files, whatever the number of"
                    + " threads."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the study has run",
            "1:a run broke a rule that every schedule keeps, or the files could not be written",
            "2:an option is wrong"
        })
public final class CalibrationCommand implements Callable<Integer> {
    static final int FAILED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final QueueLogOptions options = new QueueLogOptions();

    /** Runs the study; the exit code is one of those listed in the help. */
    @Override
    public Integer call() {
        var study = new CalibrationStudy(options.jobs(), options.seed(), options.repetitions());
        int threads = options.threads();
        Optional<ReportDirectory> directory = options.directory("runs.csv", "means.csv", "calibration.svg");
        try {
            CalibrationResults results;
            try (Progress progress =
                    Progress.of("experiment calibration", study.runs().size())) {
                results = study.results(threads, progress::step);
            }
            LogStudyReport report = results.report();
            report.print(spec.commandLine().getOut());
            directory.ifPresent(files -> {
                report.writeTo(files);
                files.write("calibration.svg", results.chart());
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
