package berth.security;

/** What an account may do. */
public enum Role {
    /** Every call. */
    ADMIN,
    /** Probes, and whatever is its own. */
    CLIENT,
    /** Reads utilisation, schedules and events; books nothing. */
    VIEWER
}
