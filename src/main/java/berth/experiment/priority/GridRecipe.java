package berth.experiment.priority;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Makes the jobs of a repetition. Of the paper are: users, jobs of each, five resources of 47 PEs, and that a job's resource is
 * drawn at random. All else is our reading: users arrive within some minutes, each with all its jobs; their priorities, and
 * the lengths of jobs, are uniform; so are the starts that are chosen.
 *
 * @param users at least 1
 * @param jobs of each user, at least 1
 * @param grid what they run on
 * @param lengths of jobs
 * @param starts that are chosen
 * @param arrivals when they come
 */
record GridRecipe(int users, int jobs, Grid grid, Lengths lengths, Starts starts, Arrivals arrivals) {

    static final long TEN_MINUTES = 600;

    /**
     * How long jobs are, uniformly.
     *
     * @param shortest in millions of instructions, more than 0
     * @param longest in millions of instructions, more than the shortest
     */
    record Lengths(double shortest, double longest) {
        /** Our reading: 20 minutes to 3 hours on a standard PE. */
        static final Lengths OURS = new Lengths(0.5e6, 5e6);

        /** So many times as long. */
        Lengths times(double scale) {
            return new Lengths(scale * shortest, scale * longest);
        }

        /** As in {@code 0.5 to 5 million MI}. */
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s to %s million MI", shortest / MILLION, longest / MILLION);
        }
    }

    /**
     * Which starts are chosen, uniformly.
     *
     * @param ahead hours from the end of the ten minutes in which a user arrives to the earliest start, not negative
     * @param spread hours from that to the latest, more than 0
     */
    record Starts(double ahead, double spread) {

        /** As in {@code within 24.0 h}. */
        @Override
        public String toString() {
            return (ahead > 0 ? "%s h ahead, ".formatted(ahead) : "") + "within %s h".formatted(spread);
        }
    }

    /**
     * When jobs come.
     *
     * @param within seconds in which all come, at least 1
     * @param isJobByJob whether each job comes by itself, and not all of a user at once
     */
    record Arrivals(long within, boolean isJobByJob) {
        /** Our reading of "may join the grid simultaneously". */
        static final Arrivals AT_ONCE = new Arrivals(TEN_MINUTES, false);

        /** As in {@code within 600 s}. */
        @Override
        public String toString() {
            return "within %d s%s".formatted(within, isJobByJob ? " job by job" : "");
        }
    }

    /** Of a standard PE. */
    static final int STANDARD_MIPS = 417;

    private static final double MILLION = 1e6;
    private static final int LEVELS = 10;
    private static final double HOUR = 3600;

    /** The same jobs, but for the starts that are chosen. */
    GridRecipe starting(Starts others) {
        return new GridRecipe(users, jobs, grid, lengths, others, arrivals);
    }

    /** The same jobs, but for how long they are. */
    GridRecipe ofLengths(Lengths others) {
        return new GridRecipe(users, jobs, grid, others, starts, arrivals);
    }

    /** The same jobs, but for when they come. */
    GridRecipe coming(Arrivals when) {
        return new GridRecipe(users, jobs, grid, lengths, starts, when);
    }

    /** The same jobs on other resources. */
    GridRecipe on(Grid other) {
        return new GridRecipe(users, jobs, other, lengths, starts, arrivals);
    }

    /** The jobs by arrival. Equal seeds give equal jobs; recipes that differ in resources, lengths, starts or arrivals give
     * the same ones else. */
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
