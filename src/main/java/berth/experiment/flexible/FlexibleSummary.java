package berth.experiment.flexible;

import static berth.cluster.ReplanOrder.FIFO;
import static berth.cluster.ReplanOrder.SHUFFLE;

import berth.cluster.ReplanOrder;
import berth.experiment.Sample;
import berth.experiment.flexible.FlexibleClaims.Evidence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** The figures to the claims of paper 000, in short: means over the windows. */
record FlexibleSummary(Evidence evidence) {

    String leadOfTheBest() {
        return "EDF %s points above Shuffle"
                .formatted(range((load, interval) -> edf(interval, load) - used(Scenario.of(SHUFFLE, interval, load))));
    }

    String rankings() {
        List<String> rankings = new ArrayList<>();
        for (double load : FlexibleStudy.LOADS) {
            FlexibleStudy.FLEXIBLE.forEach(interval -> rankings.add(ranking(interval, load)));
        }
        List<String> distinct = rankings.stream().distinct().toList();
        return distinct.size() == 1
                ? "%s at all %d points".formatted(distinct.getFirst(), rankings.size())
                : "%d rankings at %d points".formatted(distinct.size(), rankings.size());
    }

    private String ranking(Interval interval, double load) {
        return FlexibleStudy.ORDERS.stream()
                .sorted(Comparator.comparingDouble((ReplanOrder order) -> -used(Scenario.of(order, interval, load))))
                .map(FlexibleResults::name)
                .collect(Collectors.joining(" > "));
    }

    String levels() {
        return byLoad("%.1f", load -> used(Scenario.of(FIFO, Interval.FIXED, load))) + " %";
    }

    String gainOfLongIntervals() {
        return "long above fixed: %s points".formatted(byLoad("%+.1f", load -> gain(Interval.LONG, load)));
    }

    String furtherGain() {
        return "mean gain %s points, with exact run times %s"
                .formatted(byLoad("%.2f", this::meanGainIfOverestimated), byLoad("%.2f", this::meanGain));
    }

    private double meanGain(double load) {
        return mean(interval -> gain(interval, load));
    }

    private double meanGainIfOverestimated(double load) {
        return mean(interval -> used(Scenario.of(interval, load).with(RunTimes.OVERESTIMATED))
                - used(Scenario.of(Interval.FIXED, load).with(RunTimes.OVERESTIMATED)));
    }

    String gainOfLaterFixing() {
        return "75 %% of the wait %s points above acceptance"
                .formatted(range(
                        (load, interval) -> used(Scenario.of(interval, load).with(FixedAt.THREE_QUARTERS))
                                - used(Scenario.of(interval, load).with(FixedAt.ACCEPTANCE))));
    }

    String gainOfAlternatives() {
        return "alternatives %s points above none, flexible intervals %s"
                .formatted(
                        range((load, phi) ->
                                used(Scenario.of(Interval.FIXED, load).suggesting(phi)) - edf(Interval.FIXED, load)),
                        range((load, phi) -> gain(phi, load)));
    }

    String distances() {
        return "mean |φ| %s of the threshold"
                .formatted(range((load, threshold) -> evidence.phi()
                                .apply(Scenario.of(Interval.FIXED, load).suggesting(threshold))
                                .map(Sample::mean)
                                .orElse(Double.NaN)
                        / threshold.percent()));
    }

    private double gain(Interval interval, double load) {
        return edf(interval, load) - edf(Interval.FIXED, load);
    }

    private double edf(Interval interval, double load) {
        return used(Scenario.of(interval, load));
    }

    private double used(Scenario scenario) {
        return evidence.utilisation().apply(scenario).mean();
    }

    private static double mean(ToDoubleFunction<Interval> value) {
        return FlexibleStudy.FLEXIBLE.stream().mapToDouble(value).average().orElseThrow();
    }

    /** A value for each load. */
    private static String byLoad(String format, ToDoubleFunction<Double> value) {
        return FlexibleStudy.LOADS.stream()
                .map(load -> String.format(Locale.ROOT, format, value.applyAsDouble(load)))
                .collect(Collectors.joining(", "));
    }

    /** The least and the greatest value at all loads and flexible intervals. */
    private static String range(ToDoubleBiFunction<Double, Interval> value) {
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
