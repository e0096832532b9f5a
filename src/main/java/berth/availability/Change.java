package berth.availability;

/**
 * What an update does: {@code delta} PEs more are free in {@code [from, to)}. That the values stay within the capacity
 * has been checked before.
 *
 * @param delta negative if PEs are taken; not 0
 */
record Change(long from, long to, int delta) {}
