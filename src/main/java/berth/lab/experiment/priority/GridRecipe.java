package berth.lab.experiment.priority;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * A recipe that makes the jobs of a repetition. The paper gives the number of users, the jobs of each, five resources with 47 PEs, and a
 * random resource for each job. Everything else is our reading: all users arrive within a few minutes, and each submits all of its
 * jobs at once; priorities, lengths of jobs and chosen starts are uniform.
 *
 * @param users the number of users, at least 1
 * @param jobs the jobs of each user, at least 1
 * @param grid the resources
 * @param lengths the lengths of jobs
 * @param starts the chosen starts
 * @param arrivals the arrivals of jobs
 */
record GridRecipe(int users, int jobs, Grid grid, Lengths lengths, Starts starts, Arrivals arrivals) {

    static final long TEN_MINUTES = 600;

    /**
     * The uniform distribution of job lengths.
     *
     * @param shortest in millions of instructions, more than 0
     * @param longest in millions of instructions, more than the shortest
     */
    record Lengths(double shortest, double longest) {
        /** Our reading: 20 minutes to 3 hours on a standard PE. */
        static final Lengths OURS = new Lengths(0.5e6, 5e6);

        /** Returns lengths multiplied by {@code scale}. */
        Lengths times(double scale) {
            return new Lengths(scale * shortest, scale * longest);
        }

        /** Returns a text as in {@code 0.5 to 5 million MI}. */
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s to %s million MI", shortest / MILLION, longest / MILLION);
        }
    }

    /**
     * The uniform distribution of chosen starts.
     *
     * @param ahead hours from the end of the ten minutes in which a user arrives to the earliest start, not negative
     * @param spread hours from the earliest to the latest start, more than 0
     */
    record Starts(double ahead, double spread) {

        /** Returns a text as in {@code within 24.0 h}. */
        @Override
        public String toString() {
            return (ahead > 0 ? "%s h ahead, ".formatted(ahead) : "") + "within %s h".formatted(spread);
        }
    }

    /**
     * The arrivals of jobs.
     *
     * @param within the time in which all arrive, in seconds, at least 1
     * @param isJobByJob whether each job arrives on its own, instead of all jobs of a user together
     */
    record Arrivals(long within, boolean isJobByJob) {
        /** Our reading of "may join the grid simultaneously". */
        static final Arrivals AT_ONCE = new Arrivals(TEN_MINUTES, false);

        /** Returns a text as in {@code within 600 s}. */
        @Override
        public String toString() {
            return "within %d s%s".formatted(within, isJobByJob ? " job by job" : "");
        }
    }

    /** The speed of a standard PE. */
    static final int STANDARD_MIPS = 417;

    private static final double MILLION = 1e6;
    private static final int LEVELS = 10;
    private static final double HOUR = 3600;

    /** Returns the same jobs with other chosen starts. */
    GridRecipe starting(Starts others) {
        return new GridRecipe(users, jobs, grid, lengths, others, arrivals);
    }

    /** Returns the same jobs with other lengths. */
    GridRecipe ofLengths(Lengths others) {
        return new GridRecipe(users, jobs, grid, others, starts, arrivals);
    }

    /** Returns the same jobs with other arrivals. */
    GridRecipe coming(Arrivals when) {
        return new GridRecipe(users, jobs, grid, lengths, starts, when);
    }

    /** Returns the same jobs on other resources. */
    GridRecipe on(Grid other) {
        return new GridRecipe(users, jobs, other, lengths, starts, arrivals);
    }

    /**
     * Returns the jobs by arrival. Equal seeds give equal jobs. Recipes that differ in resources, lengths, starts or arrivals give jobs
     * that are otherwise equal.
     */
    List<GridJob> jobs(long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        UniformRandomProvider own = RandomSource.XO_SHI_RO_256_PP.create(~seed);
        List<GridJob> drawn = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            int priority = 1 + random.nextInt(LEVELS);
            long together = random.nextLong(arrivals.within());
            for (int i = 0; i < jobs; i++) {
                long arrival = arrivals.isJobByJob() ? own.nextLong(arrivals.within()) : together;
                double length = random.nextDouble(lengths.shortest(), lengths.longest());
                drawn.add(new GridJob(
                        0,
                        user,
                        priority,
                        arrival,
                        Math.max(1, (long) Math.ceil(length / STANDARD_MIPS)),
                        random.nextInt(grid.resources()),
                        100 * random.nextDouble(),
                        (arrival / TEN_MINUTES + 1) * TEN_MINUTES
                                + (long) (HOUR * (starts.ahead() + starts.spread() * random.nextDouble()))));
            }
        }
        drawn.sort(Comparator.comparingLong(GridJob::arrival).thenComparing(GridJob::user));
        List<GridJob> numbered = new ArrayList<>(drawn.size());
        for (var job : drawn) {
            numbered.add(new GridJob(
                    numbered.size(),
                    job.user(),
                    job.priority(),
                    job.arrival(),
                    job.runTime(),
                    job.resource(),
                    job.rank(),
                    job.start()));
        }
        return List.copyOf(numbered);
    }
}
