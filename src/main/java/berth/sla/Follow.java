package berth.sla;

/** What a run may be moved after, besides for others. */
public enum Follow {
    /** Hours that cost less. */
    CHEAPEST
}
