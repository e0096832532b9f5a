package berth.lab.workload;

/** A fault of a line of a log. */
enum LogFault implements LogEntry {
    WRONG_FIELDS("with a wrong number of fields"),
    NO_NUMBER("with a field that is not the number or time that it should be"),
    NO_SUBMIT("without a submission time"),
    /** A negative time other than -1, which stands for unknown. */
    NEGATIVE_TIME("with a negative time"),
    TOO_LONG("longer than " + LogLines.LONGEST + " characters"),
    /** The job needs more PEs than the header says the machine has. */
    TOO_LARGE("with a job larger than the machine"),
    /** The number repeats in a format in which it is all that identifies a job. */
    REPEATED("with the number of an earlier job"),
    /** A further row of the same job, for example because joined outputs overlap. */
    SAME_JOB("with another row of a job above; the last row that shows the job's end counts"),
    /** A run that was broken off, after which the job was queued again. */
    ATTEMPT("with an attempt of a job that was queued again"),
    /** The job is used under another number. */
    REUSED("with the number of an earlier job that was submitted at another time; both are jobs"),
    /** The job is sorted in. */
    OUT_OF_ORDER("with a job that was submitted before the job above it and has been sorted in"),
    DAMAGED("at which the compressed data end early or are damaged; the rest of the log is lost");

    private final String words;

    LogFault(String words) {
        this.words = words;
    }

    /** Whether lines with this fault are skipped. */
    boolean isLeftOut() {
        return this != OUT_OF_ORDER && this != REUSED;
    }

    /** Whether lines with this fault are not jobs at all. */
    boolean isNoJob() {
        return switch (this) {
            case TOO_LARGE, SAME_JOB, ATTEMPT, REUSED, OUT_OF_ORDER -> false;
            default -> true;
        };
    }

    /** Returns the words for the fault, as in {@code lines with a negative time}. */
    String words() {
        return words;
    }
}
