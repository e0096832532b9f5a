package berth.experiment.priority;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Makes the jobs of a repetition. Of the paper are: users, jobs of each, five resources of 47 PEs, and that a job's resource is
 * drawn at random. All else is our reading: users arrive within some minutes, each with all its jobs; their priorities, and
 * the lengths of jobs, are uniform; a chosen start lies within some hours of the end of the ten minutes in which its user
 * arrives, uniformly.
 *
 * @param users at least 1
 * @param jobs of each user, at least 1
 * @param spread hours in which chosen starts lie, more than 0
 * @param scale of the lengths of jobs, more than 0; 1: 0.5 to 5 million million instructions
 * @param arrivals when they come
 */
record GridRecipe(int users, int jobs, double spread, double scale, Arrivals arrivals) {

    static final long TEN_MINUTES = 600;

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

    /** PEs of each resource: 47 together. */
    static final List<Integer> PES = List.of(4, 13, 8, 17, 5);

    /** Million instructions per second of a PE of each resource. */
    static final List<Integer> MIPS = List.of(500, 380, 450, 350, 417);

    /** Of a standard PE. */
    static final int STANDARD_MIPS = 417;

    private static final double SHORTEST = 0.5e6;
    private static final double LONGEST = 5e6;
    private static final int LEVELS = 10;
    private static final double HOUR = 3600;

    /** The same jobs, but for the starts that are chosen. */
    GridRecipe withStartsWithin(double hours) {
        return new GridRecipe(users, jobs, hours, scale, arrivals);
    }

    /** The same jobs, so many times as long as these. */
    GridRecipe scaledBy(double times) {
        return new GridRecipe(users, jobs, spread, times * scale, arrivals);
    }

    /** The same jobs, but for when they come. */
    GridRecipe coming(Arrivals when) {
        return new GridRecipe(users, jobs, spread, scale, when);
    }

    /** The jobs by arrival. Equal seeds give equal jobs; recipes that differ in spread, scale or arrivals give the same ones
     * else. */
    List<GridJob> jobs(long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        UniformRandomProvider own = RandomSource.XO_SHI_RO_256_PP.create(~seed);
        List<GridJob> drawn = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            int priority = 1 + random.nextInt(LEVELS);
            long together = random.nextLong(arrivals.within());
            for (int i = 0; i < jobs; i++) {
                long arrival = arrivals.isJobByJob() ? own.nextLong(arrivals.within()) : together;
                double length = scale * random.nextDouble(SHORTEST, LONGEST);
                drawn.add(new GridJob(
                        0,
                        user,
                        priority,
                        arrival,
                        Math.max(1, (long) Math.ceil(length / STANDARD_MIPS)),
                        random.nextInt(PES.size()),
                        100 * random.nextDouble(),
                        (arrival / TEN_MINUTES + 1) * TEN_MINUTES + (long) (spread * HOUR * random.nextDouble())));
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
