package berth.batch;

/** The system that runs a cluster's batch jobs. */
public enum JobSource {
    /** Berth starts and ends the jobs. */
    BERTH,
    /** An external batch system runs the jobs and reports its queue. Berth starts none of them. */
    OUTSIDE
}
