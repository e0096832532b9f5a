package berth.reservation;

import berth.time.Slot;

/**
 * Where a reservation lies in time.
 *
 * @param slot inside the window of its terms
 * @param fixesAt from when on the provider does not move it any more, seconds since the epoch
 */
public record Placement(Slot slot, long fixesAt) {}
