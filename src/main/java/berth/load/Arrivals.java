package berth.load;

import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** When calls are due, in nanoseconds from the start of a run. Thread-safe. */
sealed interface Arrivals {

    /**
     * Takes the next one; empty once the run is over.
     *
     * @param now the time at which somebody is free to make it
     */
    OptionalLong next(long now);

    /**
     * As many clients would call that do not know of each other: at random with the same chance at any time (a Poisson
     * process), and whatever is answered.
     */
    final class Open implements Arrivals {
        private final double meanGap;
        private final RandomGenerator random;
        private final long end;
        private double due;

        /**
         * @param rate calls a second, above zero
         * @param end nothing is due from then on
         */
        Open(double rate, RandomGenerator random, long end) {
            this.meanGap = 1e9 / rate;
            this.random = random;
            this.end = end;
        }

        @Override
        public synchronized OptionalLong next(long now) {
            due += meanGap * random.nextExponential();
            return due < end ? OptionalLong.of((long) due) : OptionalLong.empty();
        }
    }

    /** As soon as somebody is free: the service sets the pace. */
    record Closed(long end) implements Arrivals {
        @Override
        public OptionalLong next(long now) {
            return now < end ? OptionalLong.of(now) : OptionalLong.empty();
        }
    }
}
