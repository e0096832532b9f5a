package berth.workload;

/** What a line of a log is. */
sealed interface LogEntry permits SwfJob, LogFault, LogEntry.Other {

    /** A line that is no job and need not be one, as a step of a job. */
    record Other() implements LogEntry {}
}
