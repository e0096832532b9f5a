package berth.lab.experiment.whatif;

import berth.lab.experiment.Extent;
import berth.lab.experiment.Paper;
import berth.lab.experiment.Paper.Variation;
import berth.lab.workload.BatchLog;
import berth.lab.workload.BatchLog.Soundness;
import berth.lab.workload.MixedWorkload.Refused;
import berth.lab.workload.UnusableLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Paper 001: reservations beside a batch queue. */
public final class WhatIfPaper {
    /** The default number of repetitions. The paper shows the results of one repetition. */
    static final int REPETITIONS = 10;

    private static final int QUICK_REPETITIONS = 2;
    private static final int TIMES_MORE = 4;
    private static final String IN_TIME = "sound: not longer than estimated";
    private static final String COMPLETED = "sound: completed, and not longer than estimated";
    private static final String EIGHT_DAYS = "as dense as 2,000 jobs in eight days";

    /** The time between jobs in seconds: the paper's simulation takes 12.5 days, of which 4.5 have only five jobs. */
    private static final double GAP = 8 * 86_400.0 / QueueJobs.WHOLE;

    private static final String SUPPORTED =
            "Section 5.1 takes the first 2,000 \"sound\" jobs; they last about 12.5 days, with only"
                    + " 5 jobs in the first 4.5, so nearly all arrive within 8 days. A record is not sound if its job was cancelled or outran the"
                    + " estimate at which the machine would have ended it.";

    private WhatIfPaper() {}

    /**
     * Returns the paper's studies on the first jobs of a log, or of the model if there is none.
     *
     * @param seed the seed of all draws
     * @throws UnusableLog if the log cannot be read or none of its lines is a job
     * @throws IllegalArgumentException if it is unusable, see {@link BatchLog#ofLog}
     */
    public static Paper of(Optional<Path> log, Extent extent, long seed) {
        return of(QueueJobs.of(log, QueueJobs.most(extent), seed), repetitions(extent), seed);
    }

    static int repetitions(Extent extent) {
        return extent.of(QUICK_REPETITIONS, REPETITIONS);
    }

    /** Returns the same with other repetitions; variations have at most ten and the calibration five. */
    static Paper of(QueueJobs jobs, int repetitions, long seed) {
        int again = Math.min(repetitions, REPETITIONS);
        BatchLog log = jobs.first();
        List<Variation> variations = new ArrayList<>();
        variations.add(varied("few-slots", "5 slots", log, seed, again, SlotRules.FEW_SLOTS));
        variations.add(varied("many-slots", "60 slots", log, seed, again, SlotRules.MANY_SLOTS));
        variations.add(varied("makespan", "what-if by makespan only", log, seed, again, SlotRules.MAKESPAN));
        variations.add(varied("completion", "what-if by completion time only", log, seed, again, SlotRules.COMPLETION));
        variations.add(varied(
                "threshold",
                "no slot below an availability of " + SlotRules.SERVICE.minAvailability(),
                log,
                seed,
                again,
                SlotRules.SERVICE));
        variations.add(
                varied("exact-estimates", "exact estimates", log.exactlyEstimated(), seed, again, SlotRules.AS_READ));
        variations.add(new Variation(
                "rejected requests submitted as jobs",
                new WhatIfStudy("001-refused-queued", log, seed, again, SlotRules.AS_READ, Refused.QUEUED)));
        variations.add(varied("eight-days", EIGHT_DAYS, log.arrivingEvery(GAP), seed, again, SlotRules.AS_READ));
        Optional.ofNullable(jobs.stricter().get(Soundness.IN_TIME))
                .ifPresent(sound -> variations.add(varied("in-time", IN_TIME, sound, seed, again, SlotRules.AS_READ)));
        Optional.ofNullable(jobs.stricter().get(Soundness.COMPLETED)).ifPresent(sound -> {
            variations.add(varied("completed", COMPLETED, sound, seed, again, SlotRules.AS_READ));
            variations.add(varied(
                    "completed-eight-days",
                    COMPLETED + ", " + EIGHT_DAYS,
                    sound.arrivingEvery(GAP),
                    seed,
                    again,
                    SlotRules.AS_READ));
        });
        jobs.next()
                .ifPresent(next -> variations.add(varied(
                        "later-jobs",
                        "the same number of later jobs of the log",
                        next,
                        seed,
                        again,
                        SlotRules.AS_READ)));
        variations.add(varied(
                "more-choices",
                "%d choices of the jobs that become requests".formatted(TIMES_MORE * again),
                log,
                seed,
                TIMES_MORE * again,
                SlotRules.AS_READ));
        variations.add(new Variation(
                "how well the availability of a slot predicts delays (our study)",
                new CalibrationStudy(log, seed, Math.min(again, CalibrationPaper.REPETITIONS))));
        return new Paper(
                        "001",
                        "On the placement of reservations into job schedules",
                        "T. Röblitz and K. Rzadca, Euro-Par 2006",
                        new WhatIfStudy("001", log, seed, repetitions, SlotRules.AS_READ, Refused.GONE),
                        variations)
                .supporting(COMPLETED + ", " + EIGHT_DAYS, SUPPORTED);
    }

    private static Variation varied(
            String name, String says, BatchLog log, long seed, int repetitions, SlotRules rules) {
        return new Variation(says, new WhatIfStudy("001-" + name, log, seed, repetitions, rules, Refused.GONE));
    }
}
