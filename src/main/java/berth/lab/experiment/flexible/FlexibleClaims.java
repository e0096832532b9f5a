package berth.lab.experiment.flexible;

import berth.lab.experiment.PaperClaim;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.DoubleStream;

/**
 * The claims of paper 000. Its text gives only the three utilisations of 000-C3 as numbers; the other results are orders and directions.
 */
final class FlexibleClaims {
    private FlexibleClaims() {}

    /**
     * Returns those of the eight claims for which some experiments suffice, in the order of the experiments. A single window is not enough
     * to check anything.
     */
    static List<PaperClaim> of(FlexibleEvidence evidence, List<Experiment> experiments) {
        return experiments.stream()
                .flatMap(experiment -> of(evidence, experiment).stream())
                .toList();
    }

    private static List<PaperClaim> of(FlexibleEvidence evidence, Experiment experiment) {
        var orders = new OrderClaims(evidence);
        var use = new UseClaims(evidence);
        var offered = new AlternativeClaims(evidence);
        return switch (experiment) {
            case ORDERS -> List.of(orders.bestOrder(), orders.sameRanking());
            case LEVELS -> List.of(use.levels());
            case INTERVALS -> List.of(use.longerIntervals());
            case ESTIMATES -> List.of(use.overestimated());
            case FIXING -> List.of(use.laterFixing());
            case ALTERNATIVES -> List.of(offered.alternatives());
            case DISTANCES -> List.of(offered.distances());
        };
    }

    /** An action for a load and an interval or threshold. */
    interface Point {
        void at(double load, Interval interval);
    }

    static void everywhere(Point point) {
        for (double load : FlexibleStudy.LOADS) {
            for (Interval interval : FlexibleStudy.FLEXIBLE) {
                point.at(load, interval);
            }
        }
    }

    static String place(double load, Interval interval) {
        return "x%s, %s".formatted(load, interval);
    }

    /** Formats the least and the greatest value over all loads and flexible intervals. */
    static String range(ToDoubleBiFunction<Double, Interval> value) {
        double[] values = FlexibleStudy.LOADS.stream()
                .flatMapToDouble(load ->
                        FlexibleStudy.FLEXIBLE.stream().mapToDouble(interval -> value.applyAsDouble(load, interval)))
                .toArray();
        return String.format(
                Locale.ROOT,
                "%.2f to %.2f",
                DoubleStream.of(values).min().orElseThrow(),
                DoubleStream.of(values).max().orElseThrow());
    }
}
