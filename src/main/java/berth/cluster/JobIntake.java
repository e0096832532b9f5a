package berth.cluster;

/** Who hands in a cluster's batch jobs. */
public enum JobIntake {
    /** Clients, within their limits; Berth starts and ends the jobs. */
    OPEN,
    /** Nobody any more; jobs that are there run to their end. */
    CLOSED,
    /** An outside batch system, which tells how its queue stands; Berth starts and ends none of its jobs. */
    OUTSIDE
}
