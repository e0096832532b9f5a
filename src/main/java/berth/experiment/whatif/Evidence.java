package berth.experiment.whatif;

import berth.cluster.AvailabilityMethod;
import berth.experiment.Curves;
import berth.experiment.Sample;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What the claims are judged by.
 *
 * @param figures of a setting, a value for each repetition
 * @param limitedJobs how many jobs the limit of section 5.4 changes, by repetition
 */
record Evidence(Function<Setting, List<WhatIfFigures>> figures, List<Integer> limitedJobs) {

    /** Whether there is anything that chance could be told by. */
    boolean isRepeated() {
        return limitedJobs.size() > 1;
    }

    /** A figure of a setting. */
    Sample of(Setting setting, ToDoubleFunction<WhatIfFigures> figure) {
        return new Sample(
                figures.apply(setting).stream().map(figure::applyAsDouble).toList());
    }

    /** The mean of a figure over some settings, repetition by repetition. */
    Sample meanOf(List<Setting> settings, ToDoubleFunction<WhatIfFigures> figure) {
        return Sample.meanOf(
                settings.stream().map(setting -> of(setting, figure)).toList());
    }

    /** The means of a figure of each of some settings. */
    DoubleSummaryStatistics meansOf(List<Setting> settings, ToDoubleFunction<WhatIfFigures> figure) {
        return settings.stream()
                .mapToDouble(setting -> of(setting, figure).mean())
                .summaryStatistics();
    }

    /** A figure of both methods at the widest slack, by book-ahead time: Table 1 and Figure 4. */
    Curves<AvailabilityMethod> widest(Variant variant, ToDoubleFunction<WhatIfFigures> figure) {
        Map<AvailabilityMethod, List<Sample>> lines = new LinkedHashMap<>();
        for (AvailabilityMethod method : Setting.METHODS) {
            lines.put(
                    method,
                    Setting.widest(method, variant).stream()
                            .map(setting -> of(setting, figure))
                            .toList());
        }
        return new Curves<>(
                Setting.BOOK_AHEAD.stream().map(hours -> hours + " h").toList(), lines);
    }
}
