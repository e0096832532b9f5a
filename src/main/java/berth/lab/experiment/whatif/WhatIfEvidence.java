package berth.lab.experiment.whatif;

import berth.cluster.AvailabilityMethod;
import berth.lab.experiment.Curves;
import berth.lab.experiment.Sample;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The evidence by which claims are judged.
 *
 * @param figures returns the figures of a setting, one for each repetition
 * @param limitedJobs how many jobs the limit of section 5.4 changes, by repetition
 */
record WhatIfEvidence(Function<WhatIfSetting, List<WhatIfFigures>> figures, List<Integer> limitedJobs) {

    /** Whether chance can be estimated. */
    boolean isRepeated() {
        return limitedJobs.size() > 1;
    }

    /** Returns a figure of a setting. */
    Sample of(WhatIfSetting setting, ToDoubleFunction<WhatIfFigures> figure) {
        return new Sample(
                figures.apply(setting).stream().map(figure::applyAsDouble).toList());
    }

    /** Returns the mean of a figure over some settings, repetition by repetition. */
    Sample meanOf(List<WhatIfSetting> settings, ToDoubleFunction<WhatIfFigures> figure) {
        return Sample.meanOf(
                settings.stream().map(setting -> of(setting, figure)).toList());
    }

    /** Returns the means of a figure for each of some settings. */
    DoubleSummaryStatistics meansOf(List<WhatIfSetting> settings, ToDoubleFunction<WhatIfFigures> figure) {
        return settings.stream()
                .mapToDouble(setting -> of(setting, figure).mean())
                .summaryStatistics();
    }

    /** Returns a figure of both methods at the widest slack, by book-ahead time, as in Table 1 and Figure 4. */
    Curves<AvailabilityMethod> widest(Variant variant, ToDoubleFunction<WhatIfFigures> figure) {
        Map<AvailabilityMethod, List<Sample>> lines = new LinkedHashMap<>();
        for (AvailabilityMethod method : WhatIfSetting.METHODS) {
            lines.put(
                    method,
                    WhatIfSetting.widest(method, variant).stream()
                            .map(setting -> of(setting, figure))
                            .toList());
        }
        return new Curves<>(
                WhatIfSetting.BOOK_AHEAD.stream().map(hours -> hours + " h").toList(), lines);
    }
}
