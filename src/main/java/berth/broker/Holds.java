package berth.broker;

import java.time.Duration;

/**
 * How long slots are held until all is recorded and they are confirmed, in seconds. Holds end by themselves: this is how long a
 * crash can leave them behind.
 *
 * @param elsewhere at other Berths
 * @param here of the parts of co-allocations that lie here. They are confirmed last, and must not be the first to end: longer
 *     than those elsewhere and the doubt together
 * @param doubt by how much clocks may differ: a hold that should have ended so long ago has
 */
record Holds(long elsewhere, long here, long doubt) {

    /** @throws IllegalArgumentException if a hold here may end before it is known whether one elsewhere has */
    Holds {
        if (elsewhere < 1 || doubt < 0 || here <= elsewhere + doubt) {
            throw new IllegalArgumentException(
                    "berth.holds.here (%d s) must be longer than berth.holds.elsewhere (%d s, at least 1 s) and berth.holds.doubt (%d s, not negative) together."
                            .formatted(here, elsewhere, doubt));
        }
    }

    static Holds of(Duration elsewhere, Duration here, Duration doubt) {
        return new Holds(elsewhere.toSeconds(), here.toSeconds(), doubt.toSeconds());
    }
}
