package berth.sla;

import berth.time.Slot;
import berth.time.Window;
import java.util.Optional;

/**
 * The terms of an agreement about a rigid run: {@code pes} processing elements for {@code duration} seconds, somewhere
 * in the window, for at most the budget. Complete and consistent, whatever the client left out: see
 * {@link RequestedTerms#resolve}.
 *
 * @param window where the run must lie; at least {@code duration} long
 * @param duration run time in seconds, at least 1
 * @param pes processing elements held throughout the run, at least 1
 * @param budget the most the client pays; empty: any price
 * @param scenario what the client left open
 */
public record Terms(Window window, long duration, int pes, Optional<Money> budget, QosScenario scenario) {

    /** @throws IllegalArgumentException if the figures are out of range or the run is longer than the window */
    public Terms {
        if (duration < 1 || pes < 1) {
            throw new IllegalArgumentException("Duration (%d) and PEs (%d) must be positive.".formatted(duration, pes));
        }
        if (duration > window.length()) {
            throw new IllegalArgumentException(
                    "A run of %d s does not fit a window of %d s.".formatted(duration, window.length()));
        }
    }

    /** Seconds by which the run can be shifted inside its window: deadline - ready time - duration. */
    public long flexibility() {
        return window.length() - duration;
    }

    /** The latest start that still meets the deadline. */
    public long latestStart() {
        return window.latestStart(duration);
    }

    /** Whether a run that takes {@code slot} keeps these terms. */
    public boolean allow(Slot slot) {
        return slot.duration() == duration && window.contains(slot);
    }
}
