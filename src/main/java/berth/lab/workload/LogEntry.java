package berth.lab.workload;

/** The content of a line of a log. */
sealed interface LogEntry permits SwfJob, LogFault, LogEntry.Other {

    /** A line that is not a job and is not expected to be one, such as a step of a job. */
    record Other() implements LogEntry {}
}
