package berth.experiment.flexible;

import berth.cluster.ReplanOrder;

/**
 * What an experiment of paper 000 varies.
 *
 * @param order in which the waiting queue is placed anew
 * @param interval how flexible half of the requests are
 * @param load by which factor requests come denser
 * @param runTimes how long runs really take
 * @param fixedAt until when reservations are moved
 * @param suggested the threshold up to which alternatives are taken; none where it is {@link Interval#FIXED}
 */
record Scenario(
        ReplanOrder order, Interval interval, double load, RunTimes runTimes, FixedAt fixedAt, Interval suggested) {

    /** Moved until they start, as long as estimated, no alternatives. */
    static Scenario of(ReplanOrder order, Interval interval, double load) {
        return new Scenario(order, interval, load, RunTimes.AS_ESTIMATED, FixedAt.START, Interval.FIXED);
    }

    /** Under earliest deadline first. */
    static Scenario of(Interval interval, double load) {
        return of(ReplanOrder.EARLIEST_DEADLINE_FIRST, interval, load);
    }

    /** Whether it is one of {@link #of}. */
    boolean isPlain() {
        return equals(of(order, interval, load));
    }

    /** With requests that are that flexible. */
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
