package berth.cluster;

/** What clients may see of other accounts' reservations on a cluster. Each level includes those before it. */
public enum Visibility {
    /** Only the answers to probes. */
    PROBES,
    /** Also the map of where runs would fit. */
    MAP,
    /** Also how many PEs are taken at which time, without owners. */
    BUSY,
    /** Also the owner of each reservation and job. */
    NAMES;

    /** Whether this level includes {@code other}. */
    public boolean shows(Visibility other) {
        return compareTo(other) >= 0;
    }
}
