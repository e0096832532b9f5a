package berth.lab.experiment.slots;

import berth.cluster.Binding;
import berth.lab.experiment.Extent;
import berth.lab.experiment.Paper;
import berth.lab.experiment.Paper.Variation;
import java.util.List;

/** Paper 004: seven ways to choose a slot. */
public final class SlotPaper {
    static final int REPETITIONS = 10;
    static final int QUICK_REPETITIONS = 3;
    static final int JOBS = 10_000;
    static final int QUICK_JOBS = 2_000;

    private static final double LOAD = 0.8;
    private static final double LOW_LOAD = 0.6;
    private static final double HIGH_LOAD = 1;
    private static final double LOWEST_SHARE = 0.7;
    private static final double HIGHEST_SHARE = 0.95;
    private static final int LONGER = 5;

    private static final String SUPPORTED =
            "Section 5 takes the sizes, the minimum of 32 PEs and the six run times as our recipe does, and"
                    + " ties run times to sizes. Its structure keeps the PEs of every slot by number, so PEs are bound early. Of the pairs, it says"
                    + " only that five go from low to high flexibility; the numbers are lost from the text.";

    private SlotPaper() {}

    /**
     * Returns the paper's studies on modelled jobs.
     *
     * @param seed the seed of all draws
     */
    public static Paper of(Extent extent, long seed) {
        return of(
                extent,
                seed,
                extent.of(QUICK_REPETITIONS, REPETITIONS),
                extent.of(QUICK_JOBS, JOBS),
                SlotRecipe.of(LOAD, Binding.EARLY));
    }

    /** Returns the same with other numbers of repetitions and requests and other readings, from which the variations differ. */
    static Paper of(Extent extent, long seed, int repetitions, int jobs, SlotRecipe recipe) {
        SlotStudy study = SlotStudy.of("004", seed, repetitions, jobs, recipe);
        return new Paper(
                        "004",
                        "Resource availability-aware advance reservation for parallel jobs with deadlines",
                        "B. Li and others, arXiv 1203.0740; Journal of Supercomputing, 2014",
                        study,
                        variations(study, new Other(extent.of(2, 5), extent.of(100, 4_000))))
                .supporting("", SUPPORTED);
    }

    private static List<Variation> variations(SlotStudy study, Other other) {
        SlotRecipe recipe = study.recipe();
        return List.of(
                other.read(study, "late", "PEs bound at the start of a run", recipe.with(Binding.LATE)),
                other.read(study, "load-60", "offered load 0.6", recipe.with(LOW_LOAD)),
                other.read(study, "load-100", "offered load 1", recipe.with(HIGH_LOAD)),
                other.read(
                        study,
                        "slope",
                        "run times by PEs, not by the share of the machine",
                        recipe.with(ModelRunTimes.UNSCALED)),
                other.read(study, "uprob-70", "uprob 0.7", recipe.withLowShare(LOWEST_SHARE)),
                other.read(study, "uprob-95", "uprob 0.95", recipe.withLowShare(HIGHEST_SHARE)),
                other.read(study, "close", "pairs {2, 2} to {4, 4}", recipe.with(Pairs.CLOSE)),
                other.read(study, "small", "pairs {0.2, 0.2} to {1, 1}", recipe.with(Pairs.SMALL)),
                other.read(study, "from-none", "pairs {0, 0} to {4, 4}", recipe.with(Pairs.FROM_NONE)),
                other.read(study, "doubling", "pairs {0.5, 0.5}, {1, 1} to {8, 8}", recipe.with(Pairs.DOUBLING)),
                other.read(study, "artime", "pairs {1, 3} to {5, 3}", recipe.with(Pairs.ARTIME)),
                other.read(study, "deadline", "pairs {3, 1} to {3, 5}", recipe.with(Pairs.DEADLINE)),
                other.read(
                        study,
                        "deadline-at-the-fourth",
                        "pairs {1, 1}, {2, 2}, {3, 3}, {3, 4}, {4, 4}",
                        recipe.with(Pairs.DEADLINE_AT_THE_FOURTH)),
                other.longer().read(study, "long", "five times as many requests", recipe));
    }

    /** The extent of studies with other readings. */
    private record Other(int repetitions, int jobs) {

        Variation read(SlotStudy study, String name, String says, SlotRecipe recipe) {
            return new Variation(says, study.varied("004-" + name, repetitions, jobs, recipe));
        }

        Other longer() {
            return new Other(repetitions, LONGER * jobs);
        }
    }
}
