package berth.lab.workload;

/** The format of the lines of a log. */
sealed interface LogFormat permits SwfRecord, SacctTable {

    /** Returns the content of a line that is neither blank nor a comment. */
    LogEntry read(String line);

    /** Returns whether the format lists jobs in the order of submission. */
    boolean isInOrder();

    /**
     * Returns whether a job's number and time of submission identify it together, because numbers are used again, and a job may have
     * several rows. Otherwise its number alone does, and its first line counts.
     */
    boolean hasSeveralRows();
}
