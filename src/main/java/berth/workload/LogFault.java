package berth.workload;

/** What may be wrong with a line of a log. */
public enum LogFault implements LogEntry {
    WRONG_FIELDS("with a wrong number of fields"),
    NO_NUMBER("with a field that is neither a number nor a time as it should be"),
    NO_SUBMIT("without a time of submission"),
    /** Other than the -1 that stands for unknown. */
    NEGATIVE_TIME("with a negative time"),
    TOO_LONG("longer than " + LogLines.LONGEST + " characters"),
    /** It needs more PEs than the header says the machine has. */
    TOO_LARGE("with a job larger than the machine"),
    /** As where outputs overlap that were joined. */
    REPEATED("with the number of a job above"),
    /** The only fault whose jobs are used: they are sorted in. */
    OUT_OF_ORDER("with a job submitted before the one above, which was sorted in"),
    DAMAGED("where the compressed data end early or are damaged; what follows is lost");

    private final String words;

    LogFault(String words) {
        this.words = words;
    }

    /** Whether a line with it is left out. */
    boolean isLeftOut() {
        return this != OUT_OF_ORDER;
    }

    /** Whether a line with it is no job at all. */
    boolean isNoJob() {
        return this != OUT_OF_ORDER && this != TOO_LARGE;
    }

    /** As in {@code lines with a negative time}. */
    String words() {
        return words;
    }
}
