package berth.sla;

import berth.time.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Terms as a client states them. What it leaves out is settled when the request is decided, not when it arrives.
 *
 * @param readyTime earliest start, seconds since the epoch; empty: at once
 * @param deadline latest finish, seconds since the epoch; empty: the end of the cluster's horizon
 * @param duration run time in seconds
 * @param pes processing elements
 * @param budget the most the client pays; empty: any price
 */
public record RequestedTerms(
        OptionalLong readyTime, OptionalLong deadline, long duration, int pes, Optional<Money> budget) {

    /** Seconds by which a ready time may lie in the past and still count as now. */
    public static final long GRACE = 60;

    /** Terms that can be decided on, or everything that is wrong with them. */
    public sealed interface Resolution {
        /** The terms, complete. */
        record Resolved(Terms terms) implements Resolution {}

        /** What must be changed; never empty. */
        record Invalid(List<Violation> violations) implements Resolution {}
    }

    /**
     * The complete terms as of {@code now}.
     *
     * @param now seconds since the epoch
     * @param horizon seconds from now beyond which the cluster takes no reservations
     */
    public Resolution resolve(long now, long horizon) {
        long end = now + horizon;
        var violations = new ArrayList<Violation>();
        if (duration < 1) {
            violations.add(new Violation("duration", "must be longer than zero"));
        } else if (duration > horizon) {
            violations.add(new Violation("duration", "must not exceed the cluster's horizon"));
        }
        if (pes < 1) {
            violations.add(new Violation("pes", "must be at least 1"));
        }
        if (budget.isPresent() && budget.get().amount().signum() == 0) {
            violations.add(new Violation("budget", "must be more than zero; leave it out to accept any price"));
        }
        if (readyTime.isPresent() && readyTime.getAsLong() < now - GRACE) {
            violations.add(new Violation("readyTime", "lies in the past; leave it out to start as soon as possible"));
        } else if (readyTime.isPresent() && readyTime.getAsLong() >= end) {
            violations.add(new Violation("readyTime", "lies beyond the cluster's horizon; choose an earlier one"));
        }
        if (deadline.isPresent() && deadline.getAsLong() > end) {
            violations.add(new Violation("deadline", "lies beyond the cluster's horizon; choose an earlier one"));
        }
        if (!violations.isEmpty()) {
            return new Resolution.Invalid(List.copyOf(violations));
        }
        long ready = Math.max(now, readyTime.orElse(now));
        long latestFinish = deadline.orElse(end);
        if (latestFinish <= ready || latestFinish - ready < duration) {
            return new Resolution.Invalid(List.of(tooShort(ready, latestFinish)));
        }
        var window = new Window(ready, latestFinish);
        return new Resolution.Resolved(new Terms(window, duration, pes, budget, scenario(window)));
    }

    private Violation tooShort(long ready, long latestFinish) {
        if (deadline.isEmpty()) {
            return new Violation("duration", "reaches from the ready time beyond the cluster's horizon; shorten it");
        }
        return latestFinish <= ready
                ? new Violation("deadline", "must lie after the ready time")
                : new Violation(
                        "duration",
                        "is longer than the time from ready time to deadline; shorten it or loosen the deadline");
    }

    private QosScenario scenario(Window window) {
        if (window.length() == duration) {
            return QosScenario.STRICT;
        }
        if (deadline.isEmpty()) {
            return QosScenario.OPEN;
        }
        return readyTime.isEmpty() ? QosScenario.DEADLINE : QosScenario.INTERVAL;
    }
}
