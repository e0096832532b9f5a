package berth.lab.workload;

/**
 * A job of a log, with the fields that workloads use, as the Standard Workload Format defines them. {@code -1} stands for unknown.
 *
 * @param number the job's number in the log (field 1)
 * @param submit the time of submission in seconds since the log's second 0, rounded down (field 2)
 * @param runTime the run time in seconds, rounded up (field 4)
 * @param allocatedPes the PEs it got (field 5)
 * @param requestedPes the PEs it asked for (field 8)
 * @param requestedTime the run time that its user estimated, in seconds (field 9)
 * @param user the number of its user (field 12)
 * @param status how it ended (field 11); see {@link #COMPLETED}
 * @param queue the number of the queue in which it waited (field 15)
 */
public record SwfJob(
        long number,
        long submit,
        long runTime,
        long allocatedPes,
        long requestedPes,
        long requestedTime,
        long user,
        int status,
        int queue)
        implements LogEntry {
    /** The status of a job that ended by itself, as its owner wished. */
    public static final int COMPLETED = 1;

    private static final int UNKNOWN = -1;

    /** Creates a job with unknown status and queue. */
    public SwfJob(
            long number,
            long submit,
            long runTime,
            long allocatedPes,
            long requestedPes,
            long requestedTime,
            long user) {
        this(number, submit, runTime, allocatedPes, requestedPes, requestedTime, user, UNKNOWN, UNKNOWN);
    }

    /** Returns the PEs it asked for or, if that is unknown, those that it got; zero or less if both are unknown. */
    public long pes() {
        return requestedPes == -1 ? allocatedPes : requestedPes;
    }

    /** Returns the same job with another time of submission. */
    public SwfJob submittedAt(long time) {
        return new SwfJob(number, time, runTime, allocatedPes, requestedPes, requestedTime, user, status, queue);
    }

    /** Returns the same job with another number. */
    SwfJob numbered(long other) {
        return new SwfJob(other, submit, runTime, allocatedPes, requestedPes, requestedTime, user, status, queue);
    }

    /** Returns the same job with another run time. */
    public SwfJob running(long seconds) {
        return new SwfJob(number, submit, seconds, allocatedPes, requestedPes, requestedTime, user, status, queue);
    }
}
