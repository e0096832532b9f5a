package berth.workload;

/**
 * One job of a log: the fields of its record that workloads are made of, as the Standard Workload Format counts them.
 * {@code -1} stands for unknown.
 *
 * @param number the job's number in the log (field 1)
 * @param submit when it was submitted, in seconds since the log's second 0; decimals are cut off (field 2)
 * @param runTime how long it ran, in seconds; a part of a second counts as a whole one (field 4)
 * @param allocatedPes PEs it was given (field 5)
 * @param requestedPes PEs it had asked for (field 8)
 * @param requestedTime run time its user had estimated, in seconds (field 9)
 * @param user who submitted it (field 12)
 * @param status how it ended (field 11); see {@link #COMPLETED}
 * @param queue in which it waited (field 15)
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

    /** A job of which is known neither how it ended nor in which queue it waited. */
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

    /** The PEs it asked for or, where that is unknown, was given; zero or less if neither is known. */
    public long pes() {
        return requestedPes == -1 ? allocatedPes : requestedPes;
    }

    /** The same job, submitted at another time. */
    public SwfJob submittedAt(long time) {
        return new SwfJob(number, time, runTime, allocatedPes, requestedPes, requestedTime, user, status, queue);
    }

    /** The same job, running for another time. */
    public SwfJob running(long seconds) {
        return new SwfJob(number, submit, seconds, allocatedPes, requestedPes, requestedTime, user, status, queue);
    }
}
