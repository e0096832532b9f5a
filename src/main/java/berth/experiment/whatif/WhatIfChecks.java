package berth.experiment.whatif;

import static berth.cluster.AvailabilityMethod.LOAD;
import static berth.cluster.AvailabilityMethod.WHAT_IF;

import berth.cluster.AvailabilityMethod;
import berth.experiment.Check;
import berth.experiment.Sample;
import berth.experiment.Trends;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What the claims of paper 001 come down to; {@link WhatIfClaims} has the rules in words. */
record WhatIfChecks(Evidence evidence, Judgement judgement) {
    private static final double POINTS = 5;
    private static final double LEAST_GROWTH = 0.5;
    private static final double MOST_GROWTH = 8.5;
    private static final double ALIKE = 0.1;
    private static final double NEARLY_EQUAL = 0.05;
    private static final double HALF = 50;
    private static final int FEW = 10;

    private boolean isAbove(Sample one, Sample other) {
        return judgement.isAbove().test(one, other);
    }

    /** Success over all 36 settings. */
    List<Check> success() {
        return levels(
                "of all",
                evidence.meanOf(Setting.all(LOAD, Variant.STANDARD), WhatIfFigures::success),
                80,
                evidence.meanOf(Setting.all(WHAT_IF, Variant.STANDARD), WhatIfFigures::success),
                97);
    }

    /** Success where there is little time to choose from. */
    List<Check> tightSuccess() {
        Sample load = evidence.meanOf(Setting.tight(LOAD, Variant.STANDARD), WhatIfFigures::success);
        Sample whatIf = evidence.meanOf(Setting.tight(WHAT_IF, Variant.STANDARD), WhatIfFigures::success);
        Sample lead = evidence.meanOf(Setting.all(WHAT_IF, Variant.STANDARD), WhatIfFigures::success)
                .minus(evidence.meanOf(Setting.all(LOAD, Variant.STANDARD), WhatIfFigures::success));
        var checks = new ArrayList<>(levels("where bat, stw <= 2 h", load, 38, whatIf, 92));
        checks.add(new Check(
                "WHAT_IF is further ahead than over all settings",
                isAbove(whatIf.minus(load), lead),
                "%s; over all %s".formatted(whatIf.minus(load).estimate(), lead.estimate())));
        return checks;
    }

    /** Success of what is asked for at the highest load. */
    List<Check> pressedSuccess() {
        return levels(
                "at the highest load",
                evidence.meanOf(Setting.all(LOAD, Variant.STANDARD), judgement.pressed()),
                58,
                evidence.meanOf(Setting.all(WHAT_IF, Variant.STANDARD), judgement.pressed()),
                92);
    }

    private List<Check> levels(String which, Sample load, double paperLoad, Sample whatIf, double paperWhatIf) {
        return List.of(
                new Check(
                        "WHAT_IF grants more than LOAD " + which,
                        isAbove(whatIf, load),
                        "WHAT_IF − LOAD: " + whatIf.minus(load).estimate()),
                near("LOAD " + which, load, paperLoad),
                near("WHAT_IF " + which, whatIf, paperWhatIf));
    }

    private static Check near(String what, Sample sample, double paper) {
        return new Check(
                "%s is within %.0f points of %.0f %%".formatted(what, POINTS, paper),
                Math.abs(sample.mean() - paper) <= POINTS,
                sample.estimate().toString());
    }

    /** By how much later the last job ends. */
    List<Check> makespan() {
        var checks = new ArrayList<Check>();
        for (AvailabilityMethod method : Setting.METHODS) {
            List<Double> growths = Setting.all(method, Variant.STANDARD).stream()
                    .map(setting -> evidence.of(setting, judgement.growth()).mean())
                    .toList();
            double least = growths.stream().reduce(Double::min).orElseThrow();
            double most = growths.stream().reduce(Double::max).orElseThrow();
            checks.add(new Check("%s: by 1 %% at least".formatted(method), least >= LEAST_GROWTH, percent(least)));
            checks.add(new Check("%s: by 8 %% at most".formatted(method), most <= MOST_GROWTH, percent(most)));
        }
        long better = Setting.all(WHAT_IF, Variant.STANDARD).stream()
                .filter(setting -> evidence.of(setting, judgement.growth()).mean()
                        < evidence.of(Setting.of(LOAD, setting.bookAhead(), setting.slack()), judgement.growth())
                                .mean())
                .count();
        checks.add(new Check("WHAT_IF has the smaller mean in most settings", better > 18, better + " of 36"));
        return checks;
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%.2f %%", value);
    }

    /** Everything is granted where there is much slack. */
    List<Check> allGranted() {
        return Setting.METHODS.stream()
                .flatMap(method -> Setting.widest(method, Variant.STANDARD).stream())
                .map(setting -> {
                    var figures = evidence.figures().apply(setting);
                    return new Check(
                            "%s grants all at bat %d h".formatted(setting.method(), setting.bookAhead()),
                            figures.stream().allMatch(one -> one.granted() == one.requests()),
                            "refused: "
                                    + figures.stream()
                                            .map(one -> String.valueOf(one.requests() - one.granted()))
                                            .toList());
                })
                .toList();
    }

    /** Who delays fewer jobs, and by less, in Table 1. */
    List<Check> delays() {
        var checks = new ArrayList<Check>();
        for (int hours : List.of(0, 2, 4)) {
            checks.add(less(WHAT_IF, "delays fewer jobs", WhatIfFigures::delayedJobs, hours));
            checks.add(less(WHAT_IF, "delays them by less", WhatIfFigures::meanExtra, hours));
        }
        checks.add(more("delays more jobs", WhatIfFigures::delayedJobs, 6));
        checks.add(close("delay them by about as much", WhatIfFigures::meanExtra, 6, ALIKE));
        checks.add(more("delays more jobs", WhatIfFigures::delayedJobs, 12));
        checks.add(more("delays them by more", WhatIfFigures::meanExtra, 12));
        checks.add(close("delay nearly as many jobs", WhatIfFigures::delayedJobs, 24, NEARLY_EQUAL));
        checks.add(close("delay them by nearly as much", WhatIfFigures::meanExtra, 24, NEARLY_EQUAL));
        return checks;
    }

    private Sample widest(AvailabilityMethod method, int hours, ToDoubleFunction<WhatIfFigures> figure) {
        return evidence.of(Setting.of(method, hours, Setting.WIDEST), figure);
    }

    private Check less(AvailabilityMethod who, String what, ToDoubleFunction<WhatIfFigures> figure, int hours) {
        Sample load = widest(LOAD, hours, figure);
        Sample whatIf = widest(WHAT_IF, hours, figure);
        return new Check("%s %s at %d h".formatted(who, what, hours), isAbove(load, whatIf), both(load, whatIf));
    }

    private Check more(String what, ToDoubleFunction<WhatIfFigures> figure, int hours) {
        Sample load = widest(LOAD, hours, figure);
        Sample whatIf = widest(WHAT_IF, hours, figure);
        return new Check("WHAT_IF %s at %d h".formatted(what, hours), whatIf.mean() > load.mean(), both(load, whatIf));
    }

    private Check close(String what, ToDoubleFunction<WhatIfFigures> figure, int hours, double share) {
        Sample load = widest(LOAD, hours, figure);
        Sample whatIf = widest(WHAT_IF, hours, figure);
        return new Check(
                "both %s at %d h".formatted(what, hours),
                Math.abs(load.mean() - whatIf.mean()) <= share * Math.max(load.mean(), whatIf.mean()),
                both(load, whatIf));
    }

    private static String both(Sample load, Sample whatIf) {
        return "LOAD %s, WHAT_IF %s".formatted(load.estimate(), whatIf.estimate());
    }

    /** More jobs are delayed the further ahead reservations are booked. */
    List<Check> moreDelayed() {
        return Trends.risesInGeneral(evidence.widest(Variant.STANDARD, WhatIfFigures::delayedJobs));
    }

    /** The extra wait comes in steps, and is more the further ahead reservations are booked. */
    List<Check> steps() {
        var shares = evidence.widest(Variant.STANDARD, WhatIfFigures::inTenHours);
        var checks = new ArrayList<Check>();
        for (AvailabilityMethod method : Setting.METHODS) {
            for (int i = 0; i < shares.points().size(); i++) {
                Sample share = shares.at(method, i);
                checks.add(new Check(
                        "%s: half of it within ten hours at bat %s"
                                .formatted(method, shares.points().get(i)),
                        share.mean() >= HALF,
                        percent(share.mean())));
            }
        }
        checks.addAll(Trends.risesInGeneral(evidence.widest(Variant.STANDARD, WhatIfFigures::totalExtra)));
        return checks;
    }

    /** Smaller jobs are delayed by less. */
    List<Check> smallJobs() {
        var all = evidence.widest(Variant.STANDARD, WhatIfFigures::totalExtra);
        var small = evidence.widest(Variant.SMALL_JOBS, WhatIfFigures::totalExtra);
        var limited = new Check(
                "fewer than ten jobs are changed",
                evidence.limitedJobs().stream().allMatch(jobs -> jobs < FEW),
                evidence.limitedJobs().toString());
        return Stream.concat(
                        Stream.of(limited),
                        Setting.METHODS.stream()
                                .flatMap(method -> IntStream.range(0, Setting.BOOK_AHEAD.size())
                                        .mapToObj(i -> new Check(
                                                "%s: less extra wait at bat %s"
                                                        .formatted(
                                                                method,
                                                                all.points().get(i)),
                                                isAbove(all.at(method, i), small.at(method, i)),
                                                Trends.means(List.of(all.at(method, i), small.at(method, i)))))))
                .toList();
    }
}
