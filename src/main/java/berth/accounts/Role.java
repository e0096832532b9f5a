package berth.accounts;

/** What an account may do. */
public enum Role {
    /** Makes every call. */
    ADMIN,
    /** Probes, reserves, and manages what belongs to it. */
    CLIENT,
    /** Reads utilisation, schedules and events, and reserves nothing. */
    VIEWER,
    /** Follows the plan of one cluster: reads the plan and its events, reports jobs and outages, and claims reservations. */
    AGENT,
    /** Shows the plan on a display: reads clusters and schedules, without prices, and with names only where clients see them. */
    SCREEN
}
