package berth.sla;

/** Which rule set the deadline of agreed terms. */
public enum DeadlineSource {
    /** The client requested it, as a deadline or as slack. */
    REQUEST,
    /** The client asked for no freedom, so the run ends at the deadline wherever it got its place. */
    PLACE,
    /** The client asked for no freedom, and the cluster's default slack applied. */
    DEFAULT_SLACK,
    /** The client requested a later one, beyond the cluster's horizon. */
    HORIZON
}
