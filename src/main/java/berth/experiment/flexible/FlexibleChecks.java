package berth.experiment.flexible;

import static berth.cluster.ReplanOrder.EARLIEST_DEADLINE_FIRST;
import static berth.cluster.ReplanOrder.FIFO;
import static berth.cluster.ReplanOrder.SHUFFLE;

import berth.cluster.ReplanOrder;
import berth.experiment.Check;
import berth.experiment.Curves;
import berth.experiment.Estimate;
import berth.experiment.Sample;
import berth.experiment.Trends;
import berth.experiment.flexible.FlexibleClaims.Evidence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** What the claims of paper 000 come down to; {@link FlexibleClaims} has the rules in words. */
record FlexibleChecks(Evidence evidence) {
    private static final double NEAR = 0.75;
    private static final List<FixedAt> AFTER_A_SHARE =
            List.of(FixedAt.ACCEPTANCE, FixedAt.QUARTER, FixedAt.HALF, FixedAt.THREE_QUARTERS);

    /** The paper's utilisation under FIFO at a load, in percent. */
    private record Level(double load, double mean, double halfWidth) {}

    private static final List<Level> LEVELS =
            List.of(new Level(1, 46.8, 3.3), new Level(1.25, 50.9, 3.5), new Level(1.5, 54.7, 3.7));

    /** Earliest deadline first is best. */
    List<Check> bestOrder() {
        List<Check> checks = new ArrayList<>();
        everywhere((load, interval) -> {
            checks.add(new Check(
                    "EDF is highest at " + place(load, interval),
                    best(interval, load) == EARLIEST_DEADLINE_FIRST,
                    named(interval, load)));
            Estimate lead = edf(interval, load)
                    .minus(used(Scenario.of(SHUFFLE, interval, load)))
                    .estimate();
            checks.add(new Check("EDF is above Shuffle at " + place(load, interval), lead.isAbove(0), "by " + lead));
        });
        return checks;
    }

    /** The orders rank alike at every load. */
    List<Check> sameRanking() {
        List<Check> checks = new ArrayList<>();
        for (Interval interval : FlexibleStudy.FLEXIBLE) {
            var best = FlexibleStudy.LOADS.stream()
                    .map(load -> best(interval, load))
                    .toList();
            checks.add(new Check(
                    interval + ": the same order is best at every load",
                    best.stream().distinct().count() == 1,
                    best.toString()));
            var reversed = reversed(interval);
            checks.add(new Check(interval + ": no two orders change places", reversed.isEmpty(), reversed.toString()));
        }
        return checks;
    }

    private List<String> reversed(Interval interval) {
        List<String> reversed = new ArrayList<>();
        var orders = FlexibleStudy.ORDERS;
        for (int i = 0; i < orders.size(); i++) {
            for (ReplanOrder other : orders.subList(i + 1, orders.size())) {
                ReplanOrder one = orders.get(i);
                var leads = FlexibleStudy.LOADS.stream()
                        .map(load -> used(Scenario.of(one, interval, load))
                                .minus(used(Scenario.of(other, interval, load)))
                                .estimate())
                        .toList();
                if (leads.stream().anyMatch(lead -> lead.isAbove(0))
                        && leads.stream().anyMatch(lead -> lead.isBelow(0))) {
                    reversed.add("%s − %s: %s".formatted(one, other, leads));
                }
            }
        }
        return reversed;
    }

    /** How much is used, as the paper says it in numbers. */
    List<Check> levels() {
        List<Check> checks = new ArrayList<>();
        double before = 0;
        for (Level level : LEVELS) {
            double mean = used(Scenario.of(FIFO, Interval.FIXED, level.load)).mean();
            checks.add(new Check(
                    "the mean is within %s ± %s at x%s".formatted(level.mean, level.halfWidth, level.load),
                    Math.abs(mean - level.mean) <= level.halfWidth,
                    number(mean)));
            if (before > 0) {
                checks.add(new Check(
                        "the mean rises to x" + level.load,
                        mean > before,
                        "%s, %s".formatted(number(before), number(mean))));
            }
            before = mean;
        }
        return checks;
    }

    /** Longer intervals, more use. */
    List<Check> longerIntervals() {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        for (double load : FlexibleStudy.LOADS) {
            lines.put(
                    "x" + load,
                    List.of(Interval.values()).stream()
                            .map(interval -> edf(interval, load))
                            .toList());
        }
        return Trends.rises(new Curves<>(names(List.of(Interval.values())), lines));
    }

    /** Overestimated run times, larger gains. */
    List<Check> overestimated() {
        List<Check> checks = new ArrayList<>();
        everywhere((load, interval) -> {
            Sample more = furtherGain(interval, load);
            checks.add(new Check(
                    "the gain is larger at " + place(load, interval), more.mean() > 0, "by " + more.estimate()));
        });
        for (double load : FlexibleStudy.LOADS) {
            Estimate more = meanOf(interval -> furtherGain(interval, load)).estimate();
            checks.add(new Check("the mean gain is larger at x" + load, more.isAbove(0), "by " + more));
        }
        return checks;
    }

    /** By how much more an interval gains over fixed ones where run times are overestimated. */
    private Sample furtherGain(Interval interval, double load) {
        return overestimatedUse(interval, load)
                .minus(overestimatedUse(Interval.FIXED, load))
                .minus(edf(interval, load).minus(edf(Interval.FIXED, load)));
    }

    private Sample overestimatedUse(Interval interval, double load) {
        return used(Scenario.of(interval, load).with(RunTimes.OVERESTIMATED));
    }

    private static Sample meanOf(Function<Interval, Sample> samples) {
        var all = FlexibleStudy.FLEXIBLE.stream().map(samples).toList();
        List<Double> means = new ArrayList<>();
        for (int i = 0; i < all.getFirst().size(); i++) {
            int at = i;
            means.add(all.stream()
                    .mapToDouble(sample -> sample.values().get(at))
                    .average()
                    .orElseThrow());
        }
        return new Sample(means);
    }

    /** Fixed later, more use. */
    List<Check> laterFixing() {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        everywhere((load, interval) -> lines.put(
                place(load, interval),
                AFTER_A_SHARE.stream()
                        .map(fixedAt -> used(Scenario.of(interval, load).with(fixedAt)))
                        .toList()));
        return Trends.rises(new Curves<>(names(AFTER_A_SHARE), lines));
    }

    /** Alternatives help, but less than flexibility. */
    List<Check> alternatives() {
        List<Check> checks = new ArrayList<>();
        everywhere((load, phi) -> {
            Sample rigid = edf(Interval.FIXED, load);
            Sample offered = used(Scenario.of(Interval.FIXED, load).suggesting(phi));
            Estimate gain = offered.minus(rigid).estimate();
            checks.add(new Check("alternatives gain at " + place(load, phi), gain.isAbove(0), "by " + gain));
            Estimate more = edf(phi, load).minus(offered).estimate();
            checks.add(new Check("flexible intervals gain more at " + place(load, phi), more.isAbove(0), "by " + more));
        });
        return checks;
    }

    /** How far away alternatives are. */
    List<Check> distances() {
        List<Check> checks = new ArrayList<>();
        everywhere((load, threshold) -> {
            var phi = evidence.phi().apply(Scenario.of(Interval.FIXED, load).suggesting(threshold));
            checks.add(new Check(
                    "|φ| is near the threshold at " + place(load, threshold),
                    phi.filter(sample -> sample.mean() >= NEAR * threshold.percent())
                            .isPresent(),
                    phi.map(sample -> sample.estimate().toString()).orElse("none was taken")));
        });
        return checks;
    }

    /** Something at a load and an interval or threshold. */
    private interface Point {
        void at(double load, Interval interval);
    }

    private static void everywhere(Point point) {
        for (double load : FlexibleStudy.LOADS) {
            for (Interval interval : FlexibleStudy.FLEXIBLE) {
                point.at(load, interval);
            }
        }
    }

    private Sample edf(Interval interval, double load) {
        return used(Scenario.of(interval, load));
    }

    private Sample used(Scenario scenario) {
        return evidence.utilisation().apply(scenario);
    }

    private ReplanOrder best(Interval interval, double load) {
        return FlexibleStudy.ORDERS.stream()
                .max(Comparator.comparingDouble(
                        order -> used(Scenario.of(order, interval, load)).mean()))
                .orElseThrow();
    }

    private String named(Interval interval, double load) {
        return String.join(
                ", ",
                FlexibleStudy.ORDERS.stream()
                        .map(order -> order + " "
                                + number(
                                        used(Scenario.of(order, interval, load)).mean()))
                        .toList());
    }

    private static String place(double load, Interval interval) {
        return "x%s, %s".formatted(load, interval);
    }

    private static List<String> names(List<?> points) {
        return points.stream().map(Object::toString).toList();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
