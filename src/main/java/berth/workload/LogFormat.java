package berth.workload;

/** The format of the lines of a log. */
sealed interface LogFormat permits SwfRecord, SacctTable {

    /** Returns the content of a line that is neither blank nor a comment. */
    LogEntry read(String line);

    /** Returns whether the format lists jobs in the order of submission. */
    boolean isInOrder();
}
