package berth.lab.experiment.advisor;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.lab.experiment.Extent;
import berth.lab.experiment.Paper;
import berth.lab.experiment.Study;
import berth.lab.experiment.StudyCommand;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth replay-policies}: replays a log, or the requests of a running service, under every setting and recommends one. */
@Command(
        name = "replay-policies",
        description = {
            "Replays a log, or the requests that a running service recorded, under every combination of placement policy, juggling"
                    + " and binding, and recommends one to an operator.",
            "",
            "Every window of the log is run on its own on an empty machine. Its jobs request advance reservations, and all"
                    + " settings decide the same requests, by the scheduler of the service. Nothing is changed at a service."
                    + " Equal options give equal files, whatever the number of threads."
        })
public final class AdvisorCommand extends StudyCommand {
    @Mixin
    private final WorkloadOptions workload = new WorkloadOptions();

    @Mixin
    private final BoundOptions bound = new BoundOptions();

    @Option(
            names = "--aim",
            paramLabel = "AIM",
            defaultValue = "UTILISATION",
            description = "What to rank the settings by: ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Aim aim;

    @Option(
            names = "--placement",
            paramLabel = "NAME",
            split = ",",
            description = "Use only these, separated by commas: ${COMPLETION-CANDIDATES}.")
    private Set<PlacementPolicy> placements = EnumSet.allOf(PlacementPolicy.class);

    @Option(
            names = "--juggling",
            paramLabel = "NAME",
            split = ",",
            description = "Only these values: ${COMPLETION-CANDIDATES}.")
    private Set<Juggling> jugglings = EnumSet.allOf(Juggling.class);

    @Option(
            names = "--replan-order",
            paramLabel = "NAME",
            split = ",",
            description = "Use only these: ${COMPLETION-CANDIDATES}. Without juggling they make no difference.")
    private Set<ReplanOrder> orders = EnumSet.allOf(ReplanOrder.class);

    @Option(
            names = "--binding",
            paramLabel = "NAME",
            split = ",",
            description = "Only these values: ${COMPLETION-CANDIDATES}.")
    private Set<Binding> bindings = EnumSet.allOf(Binding.class);

    @Override
    protected List<Paper> papers() {
        Workload replayed = workload.of(options());
        var settings = Setting.crossing(
                named("--placement", placements),
                named("--juggling", jugglings),
                named("--replan-order", orders),
                bindings(replayed));
        long seed = options().seed();
        List<Paper> papers = new ArrayList<>();
        papers.add(
                paper("advisor", "Which settings suit this log best", new AdvisorStudy(replayed, settings, aim, seed)));
        bound.of(options(), replayed, settings)
                .ifPresent(study -> papers.add(paper("bound", "What could have been accepted", study)));
        return papers;
    }

    @Override
    protected List<String> notices() {
        List<String> notices = new ArrayList<>();
        if (options().isGiven("--cluster")) {
            notices.add(
                    "All settings are compared with those now in force. Revenue is by the standard tariff. Requests that the"
                            + " service rejected at once are not on record, so they are not replayed.");
        } else if (!options().isGiven("--trace")) {
            notices.add(
                    "Modelled jobs replace the log, so the recommended settings may not suit your cluster. Give --trace.");
        }
        if (options().extent() == Extent.QUICK) {
            notices.add(
                    "This is a quick run, which only shows that the advisor works. It is too small to choose settings by.");
        }
        return notices;
    }

    private Set<Binding> bindings(Workload replayed) {
        Set<Binding> possible = named("--binding", bindings);
        possible.retainAll(replayed.bindings());
        if (possible.isEmpty()) {
            throw options()
                    .wrong(
                            "--binding is LATE, but an agent enforces the reservations of %s, which requires EARLY: leave out --binding."
                                    .formatted(replayed.source()));
        }
        return possible;
    }

    /** Returns the values in the API's order, whatever the order in which they were given. */
    private <E extends Enum<E>> Set<E> named(String option, Set<E> given) {
        if (given.isEmpty()) {
            throw options().wrong("%s is empty: name at least one value, separated by commas.".formatted(option));
        }
        return EnumSet.copyOf(given);
    }

    private static Paper paper(String number, String title, Study<?, ?> study) {
        return new Paper(number, title, "replay-policies", study, List.of());
    }
}
