package berth.batch;

/** The state of a batch job. */
public enum JobState {
    /** It waits for its turn. */
    QUEUED,
    /** It has its PEs. */
    RUNNING,
    /** Its owner has completed it, or its estimate is over. */
    COMPLETED,
    /** Its owner has cancelled it. */
    CANCELLED;

    /** Whether the job waits or runs. */
    public boolean isLive() {
        return this == QUEUED || this == RUNNING;
    }
}
