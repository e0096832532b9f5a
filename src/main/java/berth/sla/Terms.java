package berth.sla;

import berth.time.Slot;
import berth.time.Window;
import java.util.Map;
import java.util.Optional;

/**
 * The terms of an agreement about a rigid run: {@code pes} processing elements for {@code runTime} seconds, somewhere in
 * the window, for at most the budget. Complete and consistent, whatever the client left out: see {@link
 * RequestedTerms#resolve}.
 *
 * @param window where the run must lie; at least {@code runTime} long
 * @param duration run time in seconds on a standard PE, at least 1
 * @param runTime run time in seconds on the cluster, at least 1: see {@link RequestedTerms#runTime}
 * @param pes processing elements held throughout the run, at least 1
 * @param budget the most the client pays; empty: any price
 * @param requires labels the cluster must carry
 * @param fixing when the place becomes final
 * @param scenario what the client left open
 */
public record Terms(
        Window window,
        long duration,
        long runTime,
        int pes,
        Optional<Money> budget,
        Map<String, String> requires,
        Fixing fixing,
        QosScenario scenario) {

    /** @throws IllegalArgumentException if the figures are out of range or the run is longer than the window */
    public Terms {
        if (duration < 1 || runTime < 1 || pes < 1) {
            throw new IllegalArgumentException(
                    "Duration (%d), run time (%d) and PEs (%d) must be positive.".formatted(duration, runTime, pes));
        }
        if (runTime > window.length()) {
            throw new IllegalArgumentException(
                    "A run of %d s does not fit a window of %d s.".formatted(runTime, window.length()));
        }
        requires = Map.copyOf(requires);
    }

    /** Seconds by which the run can be shifted inside its window: deadline - ready time - run time. */
    public long flexibility() {
        return window.length() - runTime;
    }

    /** The latest start that still meets the deadline. */
    public long latestStart() {
        return window.latestStart(runTime);
    }

    /** What the run takes, in PE-seconds. */
    public long work() {
        return Math.multiplyExact(runTime, pes);
    }

    /** Whether a run that takes {@code slot} keeps these terms. */
    public boolean allow(Slot slot) {
        return slot.duration() == runTime && window.contains(slot);
    }
}
