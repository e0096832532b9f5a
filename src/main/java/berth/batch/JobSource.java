package berth.batch;

/** Who runs a cluster's batch jobs. */
public enum JobSource {
    /** Berth starts and ends them. */
    BERTH,
    /** An outside batch system, which tells Berth of its queue; Berth starts none of them. */
    OUTSIDE
}
