package berth.experiment;

import java.util.function.IntSupplier;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.simple.RandomSource;

/** How much of what they reserve runs really take. */
public sealed interface RunEnds {

    /** All of it: what is reserved is the run time of the log. */
    record AsReserved() implements RunEnds {}

    /**
     * A Poisson number in percent of it, at least 1 and at most 100, as in paper 000's experiment with run times that
     * are overestimated: what is reserved is the run time of the log.
     *
     * @param mean of that number, more than 0
     */
    record AfterPercent(double mean) implements RunEnds {
        private static final int STREAM = 2;

        /**
         * The numbers, one after the other.
         *
         * @param drawn the seed of what is drawn for a window; the requests' own draws are others
         */
        public IntSupplier draws(long drawn) {
            var numbers =
                    PoissonSampler.of(RandomSource.XO_SHI_RO_256_PP.create(Seeds.ofRepetition(drawn, STREAM)), mean);
            return () -> Math.clamp(numbers.sample(), 1, 100);
        }
    }

    /**
     * As in the log: what is reserved is the time that its user asked for, or the run time where that is unknown; a run
     * that went on for longer ends with what is reserved.
     */
    record AsLogged() implements RunEnds {}
}
