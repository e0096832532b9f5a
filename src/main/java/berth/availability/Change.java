package berth.availability;

/**
 * An update: {@code delta} more PEs are free in {@code [from, to)}. The check that all values stay within the capacity comes after the
 * update: a value below 0 or above the capacity shows an error, even after an overflow.
 *
 * @param delta negative if PEs are taken; not 0
 */
record Change(long from, long to, int delta) {}
