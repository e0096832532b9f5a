package berth.experiment.priority;

import berth.experiment.Extent;
import berth.experiment.Paper;
import berth.experiment.Paper.Variation;
import berth.experiment.priority.GridRecipe.Arrivals;
import berth.experiment.priority.PriorityStudy.Rounds;
import java.util.List;

/** Paper 002: requests in the order of DPSAR. */
public final class PriorityPaper {
    /** Hours in which chosen starts lie, unless told otherwise. */
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

    private PriorityPaper() {}

    /**
     * The paper with as many jobs as it has, or fewer where it is to be quick.
     *
     * @param seed of all that is drawn
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
        return new GridRecipe(USERS, jobs, spread, scale, Arrivals.AT_ONCE);
    }

    /** The same with other jobs and another number of repetitions; what varies is repeated 20 times at most. */
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
                                again.of("002-fortnight", recipe.withStartsWithin(FORTNIGHT))),
                        new Variation("jobs of 1 to 9 minutes", again.of("002-short-jobs", recipe.scaledBy(SHORT))),
                        new Variation(
                                "users come within 10 days",
                                again.of("002-ten-days", recipe.coming(new Arrivals(10 * DAY, false)))),
                        new Variation(
                                "users come within 20 days",
                                again.of("002-twenty-days", recipe.coming(new Arrivals(20 * DAY, false)))),
                        new Variation(
                                "jobs come one by one within 20 days",
                                again.of("002-job-by-job", recipe.coming(new Arrivals(20 * DAY, true)))),
                        new Variation(
                                "rounds whenever a user comes", again.of("002-every-arrival", Rounds.AT_EVERY_ARRIVAL)),
                        new Variation(
                                "users of different priority one after another, N without effect",
                                again.of("002-users-apart", Rounds.USERS_APART))));
    }
}
