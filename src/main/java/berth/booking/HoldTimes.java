package berth.booking;

import java.time.Duration;

/**
 * How long slots are held until everything is recorded and confirmed, in seconds. Holds end by themselves, so these times limit what a
 * crash can leave behind.
 *
 * @param elsewhere holds at other Berths
 * @param here holds of co-allocation parts on this Berth. They are confirmed last and must not end first, so this exceeds {@code elsewhere}
 *     and {@code doubt} together
 * @param doubt by how much clocks may differ: a hold whose end is this long ago has certainly ended
 */
record HoldTimes(long elsewhere, long here, long doubt) {

    /** @throws IllegalArgumentException if a hold here could end before it is known whether one elsewhere has ended */
    HoldTimes {
        if (elsewhere < 1 || doubt < 0 || here <= elsewhere + doubt) {
            throw new IllegalArgumentException(
                    "berth.holds.here (%d s) must be longer than the sum of berth.holds.elsewhere (%d s, at least 1 s) and berth.holds.doubt (%d s, not negative)."
                            .formatted(here, elsewhere, doubt));
        }
    }

    static HoldTimes of(Duration elsewhere, Duration here, Duration doubt) {
        return new HoldTimes(elsewhere.toSeconds(), here.toSeconds(), doubt.toSeconds());
    }
}
