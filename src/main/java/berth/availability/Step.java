package berth.availability;

/**
 * A stretch of time with one number of free PEs, up to the next step.
 *
 * @param start its first second, in seconds since the epoch
 * @param free PEs free from then on, within {@code [0, capacity]}
 */
public record Step(long start, int free) {}
