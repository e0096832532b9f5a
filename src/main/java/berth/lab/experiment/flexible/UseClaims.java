package berth.lab.experiment.flexible;

import static berth.cluster.ReplanOrder.FIFO;
import static berth.lab.experiment.PaperClaim.NO_FIGURE;

import berth.lab.experiment.Check;
import berth.lab.experiment.Curves;
import berth.lab.experiment.Estimate;
import berth.lab.experiment.Inquiry;
import berth.lab.experiment.Inquiry.Cause;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.PaperLog;
import berth.lab.experiment.Sample;
import berth.lab.experiment.Trends;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The claims of paper 000 about utilisation by load, intervals, estimates and fixing: text, rule and result of each. */
record UseClaims(FlexibleEvidence evidence) {
    /** The rule for something that rises along some points. */
    private static final String RISES =
            "each mean is above the one before, and the 95 % interval of the paired differences from the first point"
                    + " to the last lies above 0";

    /** The paper's utilisation under FIFO at a load, in percent. */
    private record Level(double load, double mean, double halfWidth) {}

    private static final List<Level> LEVELS =
            List.of(new Level(1, 46.8, 3.3), new Level(1.25, 50.9, 3.5), new Level(1.5, 54.7, 3.7));

    private static final List<FixedAt> AFTER_A_SHARE =
            List.of(FixedAt.ACCEPTANCE, FixedAt.QUARTER, FixedAt.HALF, FixedAt.THREE_QUARTERS);

    PaperClaim levels() {
        return PaperClaim.judged(
                        evidence.isRepeated(),
                        "000-C3",
                        "FIFO uses 46.8, 50.9 and 54.7 % of the machine at load x1, x1.25 and x1.5.",
                        "fixed requests: at each load, the mean lies in the paper's interval (46.8 ± 3.3, 50.9 ± 3.5,"
                                + " 54.7 ± 3.7 %), and it rises from load to load",
                        this::checkLevels,
                        "46.8, 50.9, 54.7 %",
                        this::ourLevels)
                .with(new Inquiry(
                        Cause.READING,
                        PaperLog.SDSC_SP2,
                        "The paper does not say over which time it takes utilisation, nor with which intervals. On"
                                + " the SDSC SP2 log, fixed requests use 59.6, 69.2 and 76.4 % of the time in which"
                                + " requests arrive, and 44.0, 47.2 and 48.3 % of the time up to the last end of a"
                                + " run. With long intervals, the latter is 46.4, 50.0 and 51.6 %, within the paper's"
                                + " intervals at all three loads. Two other readings come no nearer: more jobs in the"
                                + " same time as the higher load (59.6, 68.0, 74.0 %), and p = 0 taken as 1 (59.1,"
                                + " 68.2, 75.4 %). Found after these results: if users' estimates are reserved and"
                                + " runs end as in the log, the claim is reproduced with any flexible intervals. Of"
                                + " the time in which requests arrive, FIFO then uses 43.5, 48.9 and 53.3 % with"
                                + " short intervals, 44.5, 49.7 and 54.3 % with medium ones, and 46.0, 51.7 and 55.9"
                                + " % with long ones. With fixed requests it uses 42.8, 48.2 and 51.9 %, of which the"
                                + " first figure is 0.7 points too low."));
    }

    private List<Check> checkLevels() {
        List<Check> checks = new ArrayList<>();
        double before = 0;
        for (Level level : LEVELS) {
            double mean =
                    evidence.used(Scenario.of(FIFO, Interval.FIXED, level.load)).mean();
            checks.add(new Check(
                    "the mean is within %s ± %s at x%s".formatted(level.mean, level.halfWidth, level.load),
                    Math.abs(mean - level.mean) <= level.halfWidth,
                    Check.number(mean)));
            if (before > 0) {
                checks.add(new Check(
                        "the mean rises to x" + level.load,
                        mean > before,
                        "%s, %s".formatted(Check.number(before), Check.number(mean))));
            }
            before = mean;
        }
        return checks;
    }

    private String ourLevels() {
        return byLoad(
                        "%.1f",
                        load -> evidence.used(Scenario.of(FIFO, Interval.FIXED, load))
                                .mean()) + " %";
    }

    PaperClaim longerIntervals() {
        return PaperClaim.judged(
                evidence.isRepeated(),
                "000-C4",
                "Under EDF, longer intervals use more of the machine.",
                "at each load: " + RISES,
                this::checkLongerIntervals,
                NO_FIGURE,
                this::ourLongerIntervals);
    }

    private List<Check> checkLongerIntervals() {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        for (double load : FlexibleStudy.LOADS) {
            lines.put(
                    "x" + load,
                    List.of(Interval.values()).stream()
                            .map(interval -> evidence.edf(interval, load))
                            .toList());
        }
        return Trends.rises(new Curves<>(names(List.of(Interval.values())), lines));
    }

    private String ourLongerIntervals() {
        return "long above fixed: %s points".formatted(byLoad("%+.1f", load -> evidence.gain(Interval.LONG, load)));
    }

    PaperClaim overestimated() {
        return PaperClaim.judged(
                        evidence.isRepeated(),
                        "000-C5",
                        "Flexible intervals gain more if run times are overestimated.",
                        "at each load and each flexible interval, the mean gain over fixed intervals is larger than"
                                + " with exact run times; and at each load, for the mean gain of the three flexible"
                                + " intervals, the 95 % interval of the paired differences lies above 0",
                        this::checkOverestimated,
                        NO_FIGURE,
                        this::ourOverestimated)
                .with(new Inquiry(
                        Cause.READING,
                        PaperLog.SDSC_SP2,
                        "The paper does not say in which unit it measures the gain. On the SDSC SP2 log, runs that"
                                + " take 80 % of their time use 80 % of the machine, and the gain shrinks with them."
                                + " In percent of what fixed intervals use, the gain is larger at seven of nine"
                                + " points, by at most 0.4. In reserved PE-seconds, it is larger at all nine, by 0.01"
                                + " to 0.34 points. Another reading takes the run times of the log as the actual ones"
                                + " and makes estimates longer. The gain in used PE-seconds is then larger at three"
                                + " points, none beyond chance. In reserved PE-seconds, it is larger at all nine, by"
                                + " 0.5 to 2.9 points, beyond chance at eight, and the claim is reproduced. So the"
                                + " claim holds for reserved PE-seconds. Found after these results: if waiting"
                                + " reservations are pulled forward when a run ends early, the claim is reproduced in"
                                + " reserved PE-seconds (4.9, 6.0 and 7.4 points against 4.7, 5.7 and 6.9) and in"
                                + " percent of what fixed intervals use (8.3, 8.7 and 9.8 % against 8.0, 8.4 and 9.2"
                                + " %). With users' own estimates, it is reproduced in both units as well; in"
                                + " percent, the gain is 11.1, 10.3 and 11.8 % on average, against 8.0, 8.4 and 9.2 %"
                                + " with exact run times."));
    }

    private List<Check> checkOverestimated() {
        List<Check> checks = new ArrayList<>();
        FlexibleClaims.everywhere((load, interval) -> {
            Sample more = furtherGain(interval, load);
            checks.add(new Check(
                    "the gain is larger at " + FlexibleClaims.place(load, interval),
                    more.mean() > 0,
                    "by " + more.estimate()));
        });
        for (double load : FlexibleStudy.LOADS) {
            Estimate more = Sample.meanOf(FlexibleStudy.FLEXIBLE.stream()
                            .map(interval -> furtherGain(interval, load))
                            .toList())
                    .estimate();
            checks.add(new Check("the mean gain is larger at x" + load, more.isAbove(0), "by " + more));
        }
        return checks;
    }

    private String ourOverestimated() {
        return "mean gain %s points, with exact run times %s"
                .formatted(byLoad("%.2f", this::meanGainIfOverestimated), byLoad("%.2f", this::meanGain));
    }

    /** Returns by how much more an interval gains over fixed requests with overestimated run times. */
    private Sample furtherGain(Interval interval, double load) {
        return overestimatedUse(interval, load)
                .minus(overestimatedUse(Interval.FIXED, load))
                .minus(evidence.edf(interval, load).minus(evidence.edf(Interval.FIXED, load)));
    }

    private Sample overestimatedUse(Interval interval, double load) {
        return evidence.used(Scenario.of(interval, load).with(RunTimes.OVERESTIMATED));
    }

    private double meanGain(double load) {
        return mean(interval -> evidence.gain(interval, load));
    }

    private double meanGainIfOverestimated(double load) {
        return mean(interval -> evidence.used(Scenario.of(interval, load).with(RunTimes.OVERESTIMATED))
                        .mean()
                - evidence.used(Scenario.of(Interval.FIXED, load).with(RunTimes.OVERESTIMATED))
                        .mean());
    }

    private static double mean(ToDoubleFunction<Interval> value) {
        return FlexibleStudy.FLEXIBLE.stream().mapToDouble(value).average().orElseThrow();
    }

    PaperClaim laterFixing() {
        return PaperClaim.judged(
                evidence.isRepeated(),
                "000-C6",
                "Reservations that are fixed later use more of the machine; fixing them on acceptance is worst.",
                "at each load and each flexible interval, for reservations that are fixed on acceptance and after 25,"
                        + " 50 and 75 % of the waiting time: " + RISES,
                this::checkLaterFixing,
                NO_FIGURE,
                this::ourLaterFixing);
    }

    private List<Check> checkLaterFixing() {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        FlexibleClaims.everywhere((load, interval) -> lines.put(
                FlexibleClaims.place(load, interval),
                AFTER_A_SHARE.stream()
                        .map(fixedAt ->
                                evidence.used(Scenario.of(interval, load).with(fixedAt)))
                        .toList()));
        return Trends.rises(new Curves<>(names(AFTER_A_SHARE), lines));
    }

    private String ourLaterFixing() {
        return "75 %% of the wait %s points above acceptance"
                .formatted(FlexibleClaims.range((load, interval) ->
                        evidence.used(Scenario.of(interval, load).with(FixedAt.THREE_QUARTERS))
                                        .mean()
                                - evidence.used(Scenario.of(interval, load).with(FixedAt.ACCEPTANCE))
                                        .mean()));
    }

    private static List<String> names(List<?> points) {
        return points.stream().map(Object::toString).toList();
    }

    /** Formats a value for each load. */
    private static String byLoad(String format, ToDoubleFunction<Double> value) {
        return FlexibleStudy.LOADS.stream()
                .map(load -> String.format(Locale.ROOT, format, value.applyAsDouble(load)))
                .collect(Collectors.joining(", "));
    }
}
