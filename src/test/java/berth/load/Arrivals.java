package berth.load;

import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** The times at which calls are due, in nanoseconds from the start of a run. Thread-safe. */
sealed interface Arrivals {

    /**
     * Returns the time of the next call; empty when the run is over.
     *
     * @param now the time at which a connection is free for the call
     */
    OptionalLong next(long now);

    /**
     * Calls of many independent clients: they come at random, with the same probability at any time (a Poisson process), whatever the
     * service answers.
     */
    final class Open implements Arrivals {
        private final double meanGap;
        private final RandomGenerator random;
        private final long end;
        private double due;

        /**
         * @param rate calls per second, above zero
         * @param end end of the run, from which no call is due
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

    /** Calls that are due as soon as a connection is free: the service sets the pace. */
    record Closed(long end) implements Arrivals {
        @Override
        public OptionalLong next(long now) {
            return now < end ? OptionalLong.of(now) : OptionalLong.empty();
        }
    }
}
