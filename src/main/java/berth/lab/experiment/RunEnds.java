package berth.lab.experiment;

import java.util.function.IntSupplier;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.simple.RandomSource;

/** How much of the reserved time runs actually take. */
public sealed interface RunEnds {

    /** All of it: the reserved time is the run time of the log. */
    record AsReserved() implements RunEnds {}

    /**
     * A random percentage of the reserved time: a Poisson number, at least 1 and at most 100, as in paper 000's experiment with
     * overestimated run times. The reserved time is the run time of the log.
     *
     * @param mean the mean of that number, more than 0
     */
    record AfterPercent(double mean) implements RunEnds {
        private static final int STREAM = 2;

        /**
         * Returns a supplier of the numbers.
         *
         * @param drawn the seed of a window's draws. The numbers use a seed derived from it, so they do not depend on the draws of the
         *     requests
         */
        public IntSupplier draws(long drawn) {
            var numbers =
                    PoissonSampler.of(RandomSource.XO_SHI_RO_256_PP.create(Seeds.ofRepetition(drawn, STREAM)), mean);
            return () -> Math.clamp(numbers.sample(), 1, 100);
        }
    }

    /**
     * The run time of the log. The reserved time is what the user asked for, or the run time if that is unknown; a longer run ends with the
     * reservation.
     */
    record AsLogged() implements RunEnds {}
}
