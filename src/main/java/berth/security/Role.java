package berth.security;

/** What an account may do. */
public enum Role {
    /** Every call. */
    ADMIN,
    /** Probes, and whatever is its own. */
    CLIENT,
    /** Reads utilisation, schedules and events; books nothing. */
    VIEWER,
    /** Follows the plan of one cluster: reads it and its events, tells its jobs and outages, claims its reservations. */
    AGENT
}
