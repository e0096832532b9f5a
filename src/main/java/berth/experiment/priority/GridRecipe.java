package berth.experiment.priority;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Makes the jobs of a repetition. Of the paper are: users, jobs of each, five resources of 47 PEs, and that a job's resource is
 * drawn at random. All else is our reading: users arrive within ten minutes, each with all its jobs; their priorities, and the
 * lengths of jobs, are uniform; a chosen start lies within some hours of the last arrival, uniformly.
 *
 * @param users at least 1
 * @param jobs of each user, at least 1
 * @param spread hours in which chosen starts lie, more than 0
 * @param scale of the lengths of jobs, more than 0; 1: 0.5 to 5 million million instructions
 */
record GridRecipe(int users, int jobs, double spread, double scale) {

    /** Seconds in which the users arrive. */
    static final long ARRIVALS = 600;

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

    /** The jobs by arrival. Equal seeds give equal jobs; recipes that differ in spread or scale alone give the same ones else. */
    List<GridJob> jobs(long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        List<GridJob> drawn = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            int priority = 1 + random.nextInt(LEVELS);
            long arrival = random.nextLong(ARRIVALS);
            for (int i = 0; i < jobs; i++) {
                double length = scale * random.nextDouble(SHORTEST, LONGEST);
                drawn.add(new GridJob(
                        0,
                        user,
                        priority,
                        arrival,
                        Math.max(1, (long) Math.ceil(length / STANDARD_MIPS)),
                        random.nextInt(PES.size()),
                        100 * random.nextDouble(),
                        ARRIVALS + (long) (spread * HOUR * random.nextDouble())));
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
