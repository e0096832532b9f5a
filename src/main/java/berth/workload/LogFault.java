package berth.workload;

/** A fault of a line of a log. */
public enum LogFault implements LogEntry {
    WRONG_FIELDS("with a wrong number of fields"),
    NO_NUMBER("with a field that is not the number or time that it should be"),
    NO_SUBMIT("without a submission time"),
    /** A negative time other than -1, which stands for unknown. */
    NEGATIVE_TIME("with a negative time"),
    TOO_LONG("longer than " + LogLines.LONGEST + " characters"),
    /** The job needs more PEs than the header says the machine has. */
    TOO_LARGE("with a job larger than the machine"),
    /** The number repeats, for example because joined outputs overlap. */
    REPEATED("with the number of an earlier job"),
    /** The only fault whose jobs are used: they are sorted in. */
    OUT_OF_ORDER("with a job that was submitted before the job above it and has been sorted in"),
    DAMAGED("at which the compressed data end early or are damaged; the rest of the log is lost");

    private final String words;

    LogFault(String words) {
        this.words = words;
    }

    /** Whether lines with this fault are skipped. */
    boolean isLeftOut() {
        return this != OUT_OF_ORDER;
    }

    /** Whether lines with this fault are not jobs at all. */
    boolean isNoJob() {
        return this != OUT_OF_ORDER && this != TOO_LARGE;
    }

    /** Returns the words for the fault, as in {@code lines with a negative time}. */
    String words() {
        return words;
    }
}
