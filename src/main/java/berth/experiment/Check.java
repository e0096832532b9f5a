package berth.experiment;

/**
 * One of the comparisons that a claim comes down to.
 *
 * @param what must hold
 * @param holds whether it does
 * @param figures it was decided by
 */
public record Check(String what, boolean holds, String figures) {}
