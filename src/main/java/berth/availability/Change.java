package berth.availability;

/**
 * What an update does: {@code delta} PEs more are free in {@code [from, to)}. Whether the values stay
 * within the capacity shows afterwards: what has gone too far is below 0 or above it, whatever overflowed.
 *
 * @param delta negative if PEs are taken; not 0
 */
record Change(long from, long to, int delta) {}
