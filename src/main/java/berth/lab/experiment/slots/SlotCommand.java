package berth.lab.experiment.slots;

import berth.cluster.Binding;
import berth.lab.experiment.Paper;
import berth.lab.experiment.StudyCommand;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code berth experiment 004}: runs the study of paper 004 and shows which of its claims it reproduces. */
@Command(
        name = "004",
        description = {
            "Paper 004: how many requests seven placement policies accept, and how long the accepted ones wait.",
            "",
            "The machine has 1024 PEs, and the requests are modelled. The studies vary one value at a time: umed from"
                    + " 5 to 9 (otherwise 7), the arrival factor from 0.5 to 1.5 (otherwise 1), and the artime and"
                    + " deadline factors from 1 to 5 (otherwise 3). All policies get the same requests. Equal options"
                    + " give equal files, whatever the number of threads."
        })
public final class SlotCommand extends StudyCommand {
    private static final int MAX_REPETITIONS = 1_000;
    private static final int MAX_JOBS = 1_000_000;
    private static final int HIGHEST_LOAD = 10;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "Repetitions of each run, 1 to " + MAX_REPETITIONS + ", each with its own seed; default "
                    + SlotPaper.REPETITIONS + ", or " + SlotPaper.QUICK_REPETITIONS + " with --quick.")
    private Optional<Integer> repetitions = Optional.empty();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Requests of each run, 1 to " + MAX_JOBS + "; default " + SlotPaper.JOBS + ", or "
                    + SlotPaper.QUICK_JOBS + " with --quick.")
    private Optional<Integer> jobs = Optional.empty();

    @Option(
            names = "--load",
            paramLabel = "X",
            defaultValue = "0.8",
            description =
                    "Offered load at umed 7 and the arrival factor 1: requested PE-seconds / (PEs * time), more than 0 and at most "
                            + HIGHEST_LOAD + "; default ${DEFAULT-VALUE}.")
    private double load;

    @Option(
            names = "--binding",
            paramLabel = "EARLY|LATE",
            defaultValue = "EARLY",
            description = "When the PEs of a reservation are final: when it is accepted, as in the paper, or when its"
                    + " run starts; default ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Binding binding;

    @Override
    protected List<Paper> papers() {
        var options = options();
        var extent = options.extent();
        return List.of(SlotPaper.of(
                extent,
                options.seed(),
                options.within(
                        "--repetitions",
                        repetitions.orElse(extent.of(SlotPaper.QUICK_REPETITIONS, SlotPaper.REPETITIONS)),
                        MAX_REPETITIONS),
                options.within("--jobs", jobs.orElse(extent.of(SlotPaper.QUICK_JOBS, SlotPaper.JOBS)), MAX_JOBS),
                SlotRecipe.of(options.positive("--load", load, HIGHEST_LOAD), binding)));
    }
}
