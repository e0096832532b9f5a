package berth.lab.experiment.priority;

import berth.lab.experiment.Extent;
import berth.lab.experiment.Paper;
import berth.lab.experiment.Paper.Variation;
import berth.lab.experiment.priority.GridRecipe.Arrivals;
import berth.lab.experiment.priority.GridRecipe.Lengths;
import berth.lab.experiment.priority.GridRecipe.Starts;
import berth.lab.experiment.priority.PriorityStudy.Rounds;
import java.util.List;

/** Paper 002: requests in the order of DPSAR. */
public final class PriorityPaper {
    /** The default period of chosen starts, in hours. */
    static final double SPREAD = 24;

    private static final int USERS = 50;
    private static final int JOBS = 100;
    private static final int QUICK_JOBS = 40;
    private static final int REPETITIONS = 300;
    private static final int QUICK_REPETITIONS = 5;
    private static final int AGAIN = 20;
    private static final int QUICK_AGAIN = 2;
    private static final long DAY = 86_400;
    private static final double FORTNIGHT = 14 * 24;
    private static final double SHORT = 0.05;

    /**
     * The starts of GridSim's example of advance reservation, whose resources are {@link Grid#GRIDSIM}: a day and 15 minutes ahead, and
     * five minutes later for each further one of a user's 100 jobs. The gridlets of the example run only for seconds; the lengths of our
     * jobs are our reading, chosen after results were known.
     */
    private static final Starts OF_THE_EXAMPLE = new Starts(24.25, 8.25);

    private static final Lengths OF_MINUTES = new Lengths(0.1e6, 0.5e6);

    private static final String GRIDSIM = "resources and starts of GridSim's example, jobs of 2 to 22 minutes";

    private static final String SUPPORTED =
            "The experiments have \"5 resources\" with \"47 PE's in total\" in GridSim, and an environment"
                    + " \"similar to that used\" by the authors of GridSim's reservations, whose own example has five resources with 47 PEs. The"
                    + " paper gives no lengths of jobs; those of this reading are ours.";

    private PriorityPaper() {}

    /**
     * Returns the paper's studies with its number of jobs, or fewer for a quick run.
     *
     * @param seed the seed of all draws
     */
    public static Paper of(Extent extent, long seed) {
        return of(recipe(jobs(extent), SPREAD, 1), repetitions(extent), extent, seed);
    }

    static int jobs(Extent extent) {
        return extent.of(QUICK_JOBS, JOBS);
    }

    static int repetitions(Extent extent) {
        return extent.of(QUICK_REPETITIONS, REPETITIONS);
    }

    static GridRecipe recipe(int jobs, double spread, double scale) {
        return new GridRecipe(
                USERS, jobs, Grid.OURS, Lengths.OURS.times(scale), new Starts(0, spread), Arrivals.AT_ONCE);
    }

    /** Returns the paper's studies with other jobs and another number of repetitions; variations have at most 20 repetitions. */
    static Paper of(GridRecipe recipe, int repetitions, Extent extent, long seed) {
        var main = new PriorityStudy("002", seed, repetitions, recipe, Rounds.AS_READ);
        var again = main.repeated(Math.min(repetitions, extent.of(QUICK_AGAIN, AGAIN)));
        return new Paper(
                        "002",
                        "A dynamic priority scheduler for advance reservation in grid computing",
                        "R. Ahuja, G. Gabrani and A. De, International Journal of Soft Computing 4(2), 2009",
                        main,
                        List.of(
                                new Variation(
                                        "chosen starts within 14 days",
                                        again.of("002-fortnight", recipe.starting(new Starts(0, FORTNIGHT)))),
                                new Variation(
                                        "jobs of 1 to 9 minutes",
                                        again.of(
                                                "002-short-jobs",
                                                recipe.ofLengths(
                                                        recipe.lengths().times(SHORT)))),
                                new Variation(
                                        "users arrive within 10 days",
                                        again.of("002-ten-days", recipe.coming(new Arrivals(10 * DAY, false)))),
                                new Variation(
                                        "users arrive within 20 days",
                                        again.of("002-twenty-days", recipe.coming(new Arrivals(20 * DAY, false)))),
                                new Variation(
                                        "jobs arrive one by one within 20 days",
                                        again.of("002-job-by-job", recipe.coming(new Arrivals(20 * DAY, true)))),
                                new Variation(
                                        GRIDSIM,
                                        again.of(
                                                "002-gridsim",
                                                recipe.on(Grid.GRIDSIM)
                                                        .starting(OF_THE_EXAMPLE)
                                                        .ofLengths(OF_MINUTES))),
                                new Variation(
                                        "a round at each arrival of a user",
                                        again.of("002-every-arrival", Rounds.AT_EVERY_ARRIVAL)),
                                new Variation(
                                        "users of different priority one after another, N without effect",
                                        again.of("002-users-apart", Rounds.USERS_APART))))
                .supporting(GRIDSIM, SUPPORTED);
    }
}
