package berth.experiment.juggling;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth experiment exact}: what placing the waiting queue anew refuses although there would be a way to grant it. */
@Command(
        name = "exact",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "What juggling refuses although all would find room if the waiting queue were placed as well as can be.",
            "",
            "Small clusters of 4 PEs with at most " + ExactStudy.MOST_WAITING
                    + " waiting are asked for more than they have. Of each refusal it is tried in every sequence"
                    + " whether all that wait and the newcomer could have been placed. Equal options give equal tables."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the study has run", "2:an option is wrong"})
public final class ExactCommand implements Callable<Integer> {

    private static final int MOST_INSTANCES = 100_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--instances",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many clusters, 1 to " + MOST_INSTANCES + "; ${DEFAULT-VALUE} unless given.")
    private int instances;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the requests; ${DEFAULT-VALUE} unless given.")
    private long seed;

    /** Runs the study; the exit code is one of those listed in the help. */
    @Override
    public Integer call() {
        if (instances < 1 || instances > MOST_INSTANCES) {
            throw new ParameterException(
                    spec.commandLine(), "--instances is %d: give 1 to %d.".formatted(instances, MOST_INSTANCES));
        }
        var screen = spec.commandLine().getOut();
        screen.printf(
                Locale.ROOT,
                "%d clusters of 4 PEs, at most %d waiting, seed %d%n%n%-12s %-24s %9s %9s %9s %9s %9s%n",
                instances,
                ExactStudy.MOST_WAITING,
                seed,
                "juggling",
                "order",
                "requests",
                "granted",
                "refused",
                "feasible",
                "share");
        new ExactStudy(instances, seed).outcomes().forEach((way, outcome) -> print(way, outcome, screen));
        screen.flush();
        return 0;
    }

    private static void print(ExactStudy.Way way, ExactStudy.Outcome outcome, PrintWriter screen) {
        screen.printf(
                Locale.ROOT,
                "%-12s %-24s %9d %8.1f%% %9d %9d %8.1f%%%n",
                way.juggling(),
                way.order(),
                outcome.requests(),
                100.0 * (outcome.requests() - outcome.refused()) / outcome.requests(),
                outcome.refused(),
                outcome.exact(),
                100 * outcome.share());
    }
}
