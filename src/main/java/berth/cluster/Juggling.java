package berth.cluster;

/** When Berth replans the waiting queue to make room for a newcomer (paper 000, Algorithm 1). */
public enum Juggling {
    /** Never. A reservation keeps its place. */
    NEVER,
    /**
     * Only if the newcomer does not fit alongside the reservations in their present places. Differs from the paper, which replans for every
     * newcomer: here a newcomer that fits moves no reservation.
     */
    ON_CONFLICT,
    /** For every newcomer, as in the paper. */
    ALWAYS,
    /**
     * Only if the newcomer does not fit, and then in two steps. First Berth moves only the reservations in the newcomer's way and those in
     * their way; if that fails, it replans the whole queue. This rule is not in the paper. If a row of reservations would have to shift,
     * only one of them moves, to the end of the row.
     */
    LEAST_MOVES
}
