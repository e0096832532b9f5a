package berth.lab.experiment.juggling;

import berth.lab.experiment.Paper;
import berth.lab.experiment.StudyCommand;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code berth experiment exact}: finds requests that replanning refuses although a schedule for them exists. */
@Command(
        name = "exact",
        description = {
            "How often juggling rejects a request although an optimal placement of the waiting queue would have room for it.",
            "",
            "Small clusters of 4 PEs with at most " + ExactStudy.MAX_WAITING
                    + " waiting reservations get more requests than they can hold. For each rejection, every sequence is tried to see"
                    + " whether the waiting reservations and the newcomer could all have been placed. Equal options give equal tables."
        })
public final class ExactCommand extends StudyCommand {
    static final int INSTANCES = 1_000;
    static final int QUICK_INSTANCES = 100;

    private static final int MAX_INSTANCES = 100_000;

    @Option(
            names = "--instances",
            paramLabel = "N",
            description = "Number of clusters, 1 to " + MAX_INSTANCES + "; default " + INSTANCES + ", or "
                    + QUICK_INSTANCES + " with --quick.")
    private Optional<Integer> instances = Optional.empty();

    @Override
    protected List<Paper> papers() {
        var options = options();
        int most = instances.orElse(options.extent().of(QUICK_INSTANCES, INSTANCES));
        return List.of(ExactPaper.of(options.within("--instances", most, MAX_INSTANCES), options.seed()));
    }
}
