package berth.cluster;

/** When the waiting queue is placed anew to let a newcomer in (paper 000, Algorithm 1). */
public enum Juggling {
    /** Never: what has a place keeps it. */
    NEVER,
    /** Where the newcomer finds no room beside it. Ours: whoever need not move is left alone. */
    ON_CONFLICT,
    /** With every newcomer, as in the paper. */
    ALWAYS
}
