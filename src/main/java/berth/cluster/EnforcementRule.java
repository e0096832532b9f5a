package berth.cluster;

/** Whether an agent puts reservations in place on the machine, and what happens to a reservation that is not in place. */
public enum EnforcementRule {
    /** No agent puts reservations in place. Berth ignores reports of enforcement. */
    NONE,
    /** Berth records what the agent reports. */
    REPORTED,
    /** A reservation that was accepted under this rule fails, and is credited, unless it is in place soon after its start. */
    REQUIRED
}
