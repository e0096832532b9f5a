package berth.load;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Counts and times of the calls that were due in one part of a run. Thread-safe; read it after the run. */
final class CallFigures {
    /**
     * For each call, the time from when it was due until its response, until it was given up, or, if it was never made, until the end of
     * the run.
     */
    private final Histogram latencies = new Histogram(3);

    /** For each call, how much later it was made than possible: the delay that the client itself caused, not the service. */
    private final Histogram lateness = new Histogram(3);

    private final Map<CallResult, Long> answers = new TreeMap<>(Comparator.comparing(CallResult::toString));
    private long neverMade;

    /**
     * Counts a call that was made. All times are in nanoseconds from the start of the run.
     *
     * @param due when the call should have been made
     * @param free when a connection was free for it
     * @param made when it was made
     * @param over when its response was complete or it was given up
     */
    synchronized void count(CallResult answer, long due, long free, long made, long over) {
        answers.merge(answer, 1L, Long::sum);
        latencies.recordValue(micros(over - due));
        lateness.recordValue(micros(made - Math.max(due, free)));
    }

    /** Counts a call that was not made, because no connection became free before the run ended. */
    synchronized void countNeverMade(long due, long end) {
        neverMade++;
        latencies.recordValue(micros(end - due));
    }

    Map<CallResult, Long> answers() {
        return answers;
    }

    long neverMade() {
        return neverMade;
    }

    long made() {
        return answers.values().stream().mapToLong(Long::longValue).sum();
    }

    long due() {
        return made() + neverMade;
    }

    boolean allSucceeded() {
        return neverMade == 0 && answers.keySet().stream().allMatch(CallResult::isSuccess);
    }

    /** Returns the mean latency in milliseconds; zero without any call. */
    double meanLatency() {
        return latencies.getMean() / 1000;
    }

    /** Returns a percentile of the latency in milliseconds; for 100, that of the slowest call. */
    double latency(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1000.0;
    }

    /** Returns a percentile of the delay caused by the client, in milliseconds. */
    double clientLateness(double percentile) {
        return lateness.getValueAtPercentile(percentile) / 1000.0;
    }

    private static long micros(long nanos) {
        return Math.max(0, nanos / 1000);
    }
}
