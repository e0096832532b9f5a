package berth.cluster;

/** Whether reservations of a cluster are put in place on the machine by its agent, and what comes of one that is not. */
public enum EnforcementRule {
    /** Nobody puts them in place: nothing that an agent tells of them is recorded. */
    NONE,
    /** What the agent tells of them is recorded. */
    REPORTED,
    /** A reservation that is accepted under this rule fails, and is credited, unless it is in place soon after its start. */
    REQUIRED
}
