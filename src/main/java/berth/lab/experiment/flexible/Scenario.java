package berth.lab.experiment.flexible;

import berth.cluster.ReplanOrder;

/**
 * The parameters of an experiment of paper 000.
 *
 * @param order the replan order
 * @param interval how flexible half of the requests are
 * @param load the factor by which requests are denser
 * @param runTimes the actual run times
 * @param fixedAt the time until which reservations can move
 * @param suggested the threshold up to which alternatives are accepted; {@link Interval#FIXED} if none are
 */
record Scenario(
        ReplanOrder order, Interval interval, double load, RunTimes runTimes, FixedAt fixedAt, Interval suggested) {

    /** Returns a scenario in which reservations move until they start, run as long as estimated, and alternatives are not accepted. */
    static Scenario of(ReplanOrder order, Interval interval, double load) {
        return new Scenario(order, interval, load, RunTimes.AS_ESTIMATED, FixedAt.START, Interval.FIXED);
    }

    /** Returns such a scenario under earliest deadline first. */
    static Scenario of(Interval interval, double load) {
        return of(ReplanOrder.EARLIEST_DEADLINE_FIRST, interval, load);
    }

    /** Whether it is one of {@link #of}. */
    boolean isPlain() {
        return equals(of(order, interval, load));
    }

    /** Returns the scenario with another flexibility of requests. */
    Scenario with(Interval other) {
        return new Scenario(order, other, load, runTimes, fixedAt, suggested);
    }

    Scenario with(RunTimes actual) {
        return new Scenario(order, interval, load, actual, fixedAt, suggested);
    }

    Scenario with(FixedAt last) {
        return new Scenario(order, interval, load, runTimes, last, suggested);
    }

    Scenario suggesting(Interval threshold) {
        return new Scenario(order, interval, load, runTimes, fixedAt, threshold);
    }
}
