package berth.cluster;

/** When the waiting queue is placed anew to let a newcomer in (paper 000, Algorithm 1). */
public enum Juggling {
    /** Never: what has a place keeps it. */
    NEVER,
    /** Where the newcomer finds no room beside it. Ours: whoever fits beside all others as they lie moves nobody. */
    ON_CONFLICT,
    /** With every newcomer, as in the paper. */
    ALWAYS,
    /**
     * Where the newcomer finds no room beside it those move that are in its way, and those that are in theirs; the queue is placed
     * anew only where that is not enough. Ours: of a row that would be shifted as a whole only one goes to the end.
     */
    LEAST_MOVES
}
