package berth.batch;

/** Where a batch job stands. */
public enum JobState {
    /** Waits for its turn. */
    QUEUED,
    /** Has its PEs. */
    RUNNING,
    /** Its owner has said that it is over, or its estimate is. */
    COMPLETED,
    /** Given up by its owner. */
    CANCELLED;

    /** Whether it is part of the queue: waiting or running. */
    public boolean isLive() {
        return this == QUEUED || this == RUNNING;
    }
}
