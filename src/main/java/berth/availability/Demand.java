package berth.availability;

import berth.time.Window;

/**
 * The room that a search looks for: the parameters of a request in paper 004, section 3.
 *
 * @param window the time that must contain the run
 * @param duration the run time in seconds, at least 1
 * @param pes the PEs that must be free throughout the run, at least 1
 * @param present seconds since the epoch, not after the ready time; rectangles do not extend before it, because past free time is of no use
 */
public record Demand(Window window, long duration, int pes, long present) {

    /** @throws IllegalArgumentException if a figure is out of range */
    public Demand {
        if (duration < 1 || pes < 1 || present > window.readyTime()) {
            throw new IllegalArgumentException(
                    "A demand needs a duration (%d) and PEs (%d) of at least 1, and the present (%d) must not lie after the ready time of %s."
                            .formatted(duration, pes, present, window));
        }
    }

    /** Returns the latest start of the run, if the window {@linkplain Window#isLongEnoughFor is long enough} for it. */
    public long latestStart() {
        return window.latestStart(duration);
    }
}
