package berth.load;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Counts and times of the calls that were due in one part of a run. Thread-safe; read when the run is over. */
final class Figures {
    /** Of each call from the time it was due: to its answer, to the time it was given up, or to the end if never made. */
    private final Histogram latencies = new Histogram(3);

    /** How much later than it could have a call was made: what the client itself, not the service, took. */
    private final Histogram lateness = new Histogram(3);

    private final Map<Answer, Long> answers = new TreeMap<>(Comparator.comparing(Answer::toString));
    private long neverMade;

    /**
     * Counts a call that was made.
     *
     * @param due when it should have been made; all times are in nanoseconds from the start of the run
     * @param free when there was somebody to make it
     */
    synchronized void count(Answer answer, long due, long free, long made, long over) {
        answers.merge(answer, 1L, Long::sum);
        latencies.recordValue(micros(over - due));
        lateness.recordValue(micros(made - Math.max(due, free)));
    }

    /** Counts a call for which nobody was free before the end. */
    synchronized void countNeverMade(long due, long end) {
        neverMade++;
        latencies.recordValue(micros(end - due));
    }

    Map<Answer, Long> answers() {
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
        return neverMade == 0 && answers.keySet().stream().allMatch(Answer::isSuccess);
    }

    /** In milliseconds; zero where there was no call. */
    double meanLatency() {
        return latencies.getMean() / 1000;
    }

    /** In milliseconds: that of the slowest call for 100. */
    double latency(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1000.0;
    }

    /** In milliseconds. */
    double clientLateness(double percentile) {
        return lateness.getValueAtPercentile(percentile) / 1000.0;
    }

    private static long micros(long nanos) {
        return Math.max(0, nanos / 1000);
    }
}
