package berth.availability;

import berth.time.Window;

/**
 * What a search is to find room for: the parameters of a request in paper 004, section 3.
 *
 * @param window the run starts and ends within it
 * @param duration seconds, at least 1
 * @param pes that must be free throughout the run, at least 1
 * @param present seconds since the epoch, not after the ready time: what was free before it is of no use to anybody
 */
public record Demand(Window window, long duration, int pes, long present) {

    /** @throws IllegalArgumentException if a figure is out of range */
    public Demand {
        if (duration < 1 || pes < 1 || present > window.readyTime()) {
            throw new IllegalArgumentException(
                    "A demand needs a duration (%d) and PEs (%d) of at least 1, and a present (%d) not after its %s."
                            .formatted(duration, pes, present, window));
        }
    }

    /** The last second at which the run may start, if the window {@linkplain Window#isLongEnoughFor is long enough} for it. */
    public long latestStart() {
        return window.latestStart(duration);
    }
}
