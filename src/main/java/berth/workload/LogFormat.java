package berth.workload;

/** How the lines of a log are to be read. */
sealed interface LogFormat permits SwfRecord, SacctTable {

    /** What a line is that is neither blank nor a comment. */
    LogEntry read(String line);

    /** Whether jobs come in the order of their submission. */
    boolean isInOrder();
}
