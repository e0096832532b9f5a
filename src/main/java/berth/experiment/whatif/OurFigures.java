package berth.experiment.whatif;

import static berth.cluster.AvailabilityMethod.LOAD;
import static berth.cluster.AvailabilityMethod.WHAT_IF;

import berth.cluster.AvailabilityMethod;
import berth.experiment.Curves;
import berth.experiment.Sample;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The figures of the claims of paper 001 in short, as they came out. */
record OurFigures(Evidence evidence, Judgement judgement) {

    String success() {
        return percents(method -> evidence.meanOf(Setting.all(method, Variant.STANDARD), WhatIfFigures::success)
                .mean());
    }

    String tightSuccess() {
        return percents(method -> evidence.meanOf(Setting.tight(method, Variant.STANDARD), WhatIfFigures::success)
                .mean());
    }

    String pressedSuccess() {
        return percents(method -> evidence.meanOf(Setting.all(method, Variant.STANDARD), judgement.pressed())
                .mean());
    }

    private static String percents(Function<AvailabilityMethod, Double> mean) {
        return format("WHAT_IF %.1f, LOAD %.1f %%", mean.apply(WHAT_IF), mean.apply(LOAD));
    }

    String makespan() {
        return both(method -> {
                    DoubleSummaryStatistics growths =
                            evidence.meansOf(Setting.all(method, Variant.STANDARD), judgement.growth());
                    return format("%.1f to %.1f", growths.getMin(), growths.getMax());
                })
                + " %";
    }

    String allGranted() {
        long requests = atWidest(WhatIfFigures::requests);
        return "%d of %d".formatted(atWidest(WhatIfFigures::granted), requests);
    }

    private long atWidest(ToDoubleFunction<WhatIfFigures> figure) {
        return (long) Setting.METHODS.stream()
                .flatMap(method -> Setting.widest(method, Variant.STANDARD).stream())
                .flatMap(setting -> evidence.of(setting, figure).values().stream())
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    String delays() {
        var jobs = evidence.widest(Variant.STANDARD, WhatIfFigures::delayedJobs);
        int last = jobs.points().size() - 1;
        return format(
                "jobs at 0 h: WHAT_IF %.0f, LOAD %.0f; at 24 h: %.0f, %.0f",
                jobs.at(WHAT_IF, 0).mean(),
                jobs.at(LOAD, 0).mean(),
                jobs.at(WHAT_IF, last).mean(),
                jobs.at(LOAD, last).mean());
    }

    String moreDelayed() {
        var jobs = evidence.widest(Variant.STANDARD, WhatIfFigures::delayedJobs);
        return both(method -> format(
                        "%.0f to %.0f",
                        jobs.line(method).getFirst().mean(),
                        jobs.line(method).getLast().mean()))
                + " jobs";
    }

    String steps() {
        var shares = evidence.widest(Variant.STANDARD, WhatIfFigures::inTenHours);
        return "at least "
                + both(method -> format(
                        "%.0f",
                        Collections.min(
                                shares.line(method).stream().map(Sample::mean).toList())))
                + " % in ten hours";
    }

    String smallJobs() {
        var all = evidence.widest(Variant.STANDARD, WhatIfFigures::totalExtra);
        var small = evidence.widest(Variant.SMALL_JOBS, WhatIfFigures::totalExtra);
        return "%d at most; %s %% less extra wait".formatted(Collections.max(evidence.limitedJobs()), both(method -> {
            List<Double> cuts = cuts(all, small, method);
            return format("%.0f to %.0f", Collections.min(cuts), Collections.max(cuts));
        }));
    }

    private static List<Double> cuts(
            Curves<AvailabilityMethod> all, Curves<AvailabilityMethod> small, AvailabilityMethod method) {
        return IntStream.range(0, all.points().size())
                .mapToObj(i -> 100
                        * (1 - small.at(method, i).mean() / all.at(method, i).mean()))
                .toList();
    }

    private static String both(Function<AvailabilityMethod, String> figures) {
        return "WHAT_IF %s, LOAD %s".formatted(figures.apply(WHAT_IF), figures.apply(LOAD));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
