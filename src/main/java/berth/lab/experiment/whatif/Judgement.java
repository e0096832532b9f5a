package berth.lab.experiment.whatif;

import berth.lab.experiment.Sample;
import java.util.function.BiPredicate;
import java.util.function.ToDoubleFunction;

/**
 * How figures of runs are interpreted where the paper's words leave it open.
 *
 * @param growth the growth of the makespan, in percent
 * @param pressed the share of granted requests at the highest load, in percent
 * @param isAbove when one sample counts as greater than another
 */
record Judgement(
        ToDoubleFunction<WhatIfFigures> growth,
        ToDoubleFunction<WhatIfFigures> pressed,
        BiPredicate<Sample, Sample> isAbove) {

    /** The interpretation of the claims' rules. */
    static final Judgement AS_READ =
            new Judgement(WhatIfFigures::growth, figures -> figures.pressed().success(), Sample::isAbove);

    /** Returns the interpretation in which the makespan includes reservations, which take the machine too. */
    static Judgement untilAllHaveEnded() {
        return new Judgement(WhatIfFigures::growthOfAll, AS_READ.pressed, AS_READ.isAbove);
    }

    /** Returns the interpretation in which the load is the backlog of jobs only, as footnote 5 defines it. */
    static Judgement byBacklogOfJobs() {
        return new Judgement(AS_READ.growth, figures -> figures.pressed().successByJobs(), AS_READ.isAbove);
    }

    /** Returns the interpretation for a single workload, without regard to chance. */
    static Judgement byMeans() {
        return new Judgement(AS_READ.growth, AS_READ.pressed, (one, other) -> one.mean() > other.mean());
    }

    /** Whether one sample counts as greater than another. */
    boolean isAbove(Sample one, Sample other) {
        return isAbove.test(one, other);
    }
}
