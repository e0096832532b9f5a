package berth.cluster;

/** What clients may see of what others have on a cluster. Each shows what those before it do. */
public enum Visibility {
    /** What a probe tells. */
    PROBES,
    /** A map of where runs would fit. */
    MAP,
    /** When how many PEs are taken, not by whom. */
    BUSY,
    /** All that takes PEs, by the name of its owner. */
    NAMES;

    /** Whether clients see as much as with the other one. */
    public boolean shows(Visibility other) {
        return compareTo(other) >= 0;
    }
}
