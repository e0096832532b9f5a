package berth.lab.workload;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.JumpableUniformRandomProvider;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * A recipe that makes reservation requests with general deadlines from modelled jobs, as paper 004 does for its experiments (section 5).
 * With t_du the run time of a job, its request has
 *
 * <ul>
 *   <li>the duration t_du, snapped to one of 60, 300, 900, 1800, 3600 and 10800 s;
 *   <li>the ready time t_r = t_a + U·artime factor·t_du, where t_a is the time of the request;
 *   <li>the deadline t_dl = t_r + t_du + U'·deadline factor·t_du;
 *   <li>t_a = the job's submission / arrival factor, so that a larger factor means more requests in a given time.
 * </ul>
 *
 * <p>U and U' are uniform in [0, 1). Where the paper is unclear: a run time becomes the duration that is nearest to it by ratio (the paper
 * weighs the six against a log that it does not show), and fractions of a second are dropped.
 *
 * <p>Recipes are values: equal recipes make equal requests from equal seeds. Each factor changes only the times that it stands for; jobs, U
 * and U' stay the same.
 *
 * @param model the model of the jobs
 * @param arrivalFactor the arrival factor, more than 0
 * @param artimeFactor the factor of the time from the request to the ready time, not negative
 * @param deadlineFactor the factor of the flexibility, not negative
 */
public record DeadlineRecipe(LublinFeitelson model, double arrivalFactor, double artimeFactor, double deadlineFactor) {
    private static final long[] DURATIONS = {60, 300, 900, 1800, 3600, 10_800};

    /** @throws IllegalArgumentException if a factor is out of its range */
    public DeadlineRecipe {
        if (!(arrivalFactor > 0 && artimeFactor >= 0 && deadlineFactor >= 0)) {
            throw new IllegalArgumentException(
                    "The arrival factor (%s) must be positive; the factors of ready time (%s) and deadline (%s) must not be negative."
                            .formatted(arrivalFactor, artimeFactor, deadlineFactor));
        }
    }

    /** Returns the first {@code count} requests of a seed in order, numbered from 1. */
    public List<ReservationRequest> requests(long seed, int count) {
        var random = (JumpableUniformRandomProvider) RandomSource.XO_SHI_RO_256_PP.create(seed);
        LublinFeitelson.Draws jobs = model.draws(random);
        UniformRandomProvider readyTimes = random.jump();
        UniformRandomProvider deadlines = random.jump();
        List<ReservationRequest> requests = new ArrayList<>(count);
        for (int number = 1; number <= count; number++) {
            requests.add(request(number, jobs.next(), readyTimes.nextDouble(), deadlines.nextDouble()));
        }
        return requests;
    }

    private ReservationRequest request(int number, ModelJob job, double lead, double slack) {
        long duration = snapped(job.runTime());
        long submit = (long) (job.submit() / arrivalFactor);
        long readyTime = submit + (long) (lead * artimeFactor * duration);
        long deadline = readyTime + duration + (long) (slack * deadlineFactor * duration);
        return new ReservationRequest(number, submit, readyTime, deadline, duration, job.pes());
    }

    /**
     * Returns the mean PE-seconds of a request of {@code model}, from 500,000 draws with a fixed seed. For the models here, the standard
     * error is below half a percent.
     */
    public static double meanArea(LublinFeitelson model) {
        int draws = 500_000;
        var random = (JumpableUniformRandomProvider) RandomSource.XO_SHI_RO_256_PP.create(1L);
        LublinFeitelson.Draws jobs = model.draws(random);
        double area = 0;
        for (int i = 0; i < draws; i++) {
            ModelJob job = jobs.next();
            area += (double) job.pes() * snapped(job.runTime());
        }
        return area / draws;
    }

    static long snapped(long runTime) {
        long nearest = DURATIONS[0];
        for (long duration : DURATIONS) {
            // the boundary between two neighbours is their geometric mean
            nearest = (double) runTime * runTime > (double) nearest * duration ? duration : nearest;
        }
        return nearest;
    }
}
