package berth.availability;

/**
 * A period with a constant number of free PEs, which lasts until the next step.
 *
 * @param start the first second, in seconds since the epoch
 * @param free the number of free PEs, within {@code [0, capacity]}
 */
public record Step(long start, int free) {}
