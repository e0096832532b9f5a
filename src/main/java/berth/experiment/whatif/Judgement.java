package berth.experiment.whatif;

import berth.experiment.Sample;
import java.util.function.BiPredicate;
import java.util.function.ToDoubleFunction;

/**
 * How figures of runs are read where the paper's words leave it open.
 *
 * @param growth of the makespan
 * @param pressed success at the highest load
 * @param isAbove when one sample is more than another
 */
record Judgement(
        ToDoubleFunction<WhatIfFigures> growth,
        ToDoubleFunction<WhatIfFigures> pressed,
        BiPredicate<Sample, Sample> isAbove) {

    /** As the rules of the claims have it. */
    static final Judgement AS_READ =
            new Judgement(WhatIfFigures::growth, WhatIfFigures::pressedSuccess, Sample::isAbove);

    /** The machine is also taken by reservations: the makespan goes on to their last end. */
    static Judgement untilAllHaveEnded() {
        return new Judgement(WhatIfFigures::growthOfAll, AS_READ.pressed, AS_READ.isAbove);
    }

    /** The load is the backlog as footnote 5 defines it, of jobs alone. */
    static Judgement byBacklogOfJobs() {
        return new Judgement(AS_READ.growth, WhatIfFigures::successByJobs, AS_READ.isAbove);
    }

    /** As for a single workload, of which it cannot be said what is chance. */
    static Judgement byMeans() {
        return new Judgement(AS_READ.growth, AS_READ.pressed, (one, other) -> one.mean() > other.mean());
    }

    /** Whether one sample is more than another. */
    boolean isAbove(Sample one, Sample other) {
        return isAbove.test(one, other);
    }
}
