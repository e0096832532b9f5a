package berth.lab.experiment.advisor;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.lab.experiment.Curves;
import berth.lab.experiment.PaperFigure;
import berth.lab.experiment.Sample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Charts of how the result for an aim depends on each part of the best setting, with the other parts fixed. */
record AdvisorCharts(AdvisorResults results, SettingRanking ranking) {

    /** Returns the charts in order. */
    List<PaperFigure> all() {
        return Stream.concat(orders(), Stream.of(placements())).toList();
    }

    /** Returns a chart of the result by when and in which order the queue is replanned; none if no setting replans. */
    private Stream<PaperFigure> orders() {
        Aim aim = ranking.aim();
        Setting best = ranking.best().preferred();
        List<ReplanOrder> orders = distinct(
                results.study().settings().stream().filter(setting -> setting.juggling() != Juggling.NEVER),
                Setting::order);
        if (orders.isEmpty()) {
            return Stream.empty();
        }
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        for (Juggling juggling : distinct(results.study().settings().stream(), Setting::juggling)) {
            lines.put(
                    juggling.name(),
                    orders.stream()
                            .map(order ->
                                    results.sample(new Setting(best.placement(), juggling, order, best.binding()), aim))
                            .toList());
        }
        return Stream.of(new PaperFigure(
                "orders",
                "%s by order, %s %s".formatted(aim.word(), best.placement(), best.binding()),
                "order",
                aim.unit(),
                new Curves<>(orders.stream().map(AdvisorCharts::initials).toList(), lines)));
    }

    /** Returns a chart of the result by placement and binding. */
    private PaperFigure placements() {
        Aim aim = ranking.aim();
        Setting best = ranking.best().preferred();
        var placements = distinct(results.study().settings().stream(), Setting::placement);
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        for (Binding binding : distinct(results.study().settings().stream(), Setting::binding)) {
            lines.put(
                    binding.name(),
                    placements.stream()
                            .map(placement ->
                                    results.sample(new Setting(placement, best.juggling(), best.order(), binding), aim))
                            .toList());
        }
        return new PaperFigure(
                "placements",
                "%s by placement, %s".formatted(aim.word(), best.replacing()),
                "placement",
                aim.unit(),
                new Curves<>(placements.stream().map(AdvisorCharts::initials).toList(), lines));
    }

    private static <T> List<T> distinct(Stream<Setting> settings, Function<Setting, T> part) {
        return settings.map(part).distinct().sorted().toList();
    }

    /** Returns the papers' short names, for an axis. */
    private static String initials(PlacementPolicy placement) {
        return switch (placement) {
            case FIRST_FIT -> "FF";
            case PE_BEST_FIT -> "PE-B";
            case PE_WORST_FIT -> "PE-W";
            case DURATION_BEST_FIT -> "Du-B";
            case DURATION_WORST_FIT -> "Du-W";
            case PE_DURATION_BEST_FIT -> "PEDu-B";
            case PE_DURATION_WORST_FIT -> "PEDu-W";
        };
    }

    private static String initials(ReplanOrder order) {
        return switch (order) {
            case FIFO -> "FIFO";
            case SHUFFLE -> "Shuffle";
            case BIGGEST_JOB_FIRST -> "BJF";
            case LEAST_FLEXIBLE_FIRST -> "LFF";
            case EARLIEST_DEADLINE_FIRST -> "EDF";
            case MISSING_DEADLINE_FIRST -> "MDF";
        };
    }
}
