package berth.lab.replay;

import berth.time.Slot;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Counts the answers of a run. Thread-safe; {@link #figures()} returns the counts. */
final class AnswerTally {
    private final Slot window;
    private final Map<String, Integer> refused = new TreeMap<>();
    private final Histogram latencies = new Histogram(3);
    private int accepted;
    private int pending;
    private int unknown;
    private int retried;
    private double acceptedArea;

    /** @param window the period in which accepted PE-seconds count */
    AnswerTally(Slot window) {
        this.window = window;
    }

    synchronized void count(RequestVerdict verdict, int attempts, Duration took) {
        retried += attempts > 1 ? 1 : 0;
        switch (verdict) {
            case RequestVerdict.Accepted reserved -> {
                accepted++;
                acceptedArea += (double) reserved.pes() * secondsInWindow(reserved.placement());
            }
            case RequestVerdict.Pending undecided -> pending++;
            case RequestVerdict.Refused refusal -> refused.merge(refusal.code(), 1, Integer::sum);
            case RequestVerdict.Denied denial -> refused.merge(denial.code(), 1, Integer::sum);
            case RequestVerdict.Unknown unanswered -> unknown++;
            case RequestVerdict.Foreign unreadable -> unknown++;
        }
        if (!(verdict instanceof RequestVerdict.Unknown) && !(verdict instanceof RequestVerdict.Foreign)) {
            latencies.recordValue(took.toNanos() / 1000);
        }
    }

    synchronized Figures figures() {
        return new Figures(accepted, pending, new TreeMap<>(refused), unknown, retried, acceptedArea, latencies.copy());
    }

    private long secondsInWindow(Slot placement) {
        return Math.max(0, Math.min(placement.end(), window.end()) - Math.max(placement.start(), window.start()));
    }

    /**
     * The counts at one moment.
     *
     * @param accepted number of accepted requests
     * @param pending number of requests that are not decided yet
     * @param refused number of rejected requests, by problem code
     * @param unknown number of requests without a conclusive answer
     * @param retried number of requests sent more than once
     * @param acceptedArea accepted PE-seconds inside the window
     * @param latencies latencies in microseconds of the requests that were answered
     */
    record Figures(
            int accepted,
            int pending,
            Map<String, Integer> refused,
            int unknown,
            int retried,
            double acceptedArea,
            Histogram latencies) {

        int refusals() {
            return refused.values().stream().mapToInt(Integer::intValue).sum();
        }

        int answered() {
            return accepted + pending + refusals();
        }

        int sent() {
            return answered() + unknown;
        }
    }
}
