package berth.cluster;

/** The source of a cluster's batch jobs. */
public enum JobIntake {
    /** Clients submit jobs within their limits; Berth starts and ends them. */
    OPEN,
    /** Nobody can submit jobs any more. Jobs that were already submitted run to their end. */
    CLOSED,
    /** An external batch system reports its queue. Berth neither starts nor ends those jobs. */
    OUTSIDE
}
