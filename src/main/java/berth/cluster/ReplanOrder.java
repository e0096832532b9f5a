package berth.cluster;

/** The order in which the waiting queue is placed anew: the strategies of papers 000 (section 3.1) and 003 (section 3.3). */
public enum ReplanOrder {
    /** In the order in which they were accepted. */
    FIFO,
    /** In a random order, another one for each newcomer. */
    SHUFFLE,
    /** The most PE-seconds first. */
    BIGGEST_JOB_FIRST,
    /** The least slack first: deadline - the later of ready time and now - run time, paper 000's delta. */
    LEAST_FLEXIBLE_FIRST,
    /** The earliest deadline first. */
    EARLIEST_DEADLINE_FIRST,
    /** Whoever is closest to missing its deadline first: deadline - now - run time in the largest shape (paper 003). */
    MISSING_DEADLINE_FIRST
}
