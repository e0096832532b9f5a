package berth.workload;

import java.nio.file.Path;
import java.util.List;

/**
 * A log of jobs, in the Standard Workload Format or as {@code sacct --parsable2} of Slurm prints it, gzip-compressed or
 * not. Which it is is told by its first line that is neither blank nor a comment. It is held whole, at about 100 bytes a job.
 *
 * <p>Lines that begin with {@code ;} are comments in both formats, those before the first job the header. Lines that
 * cannot be used are left out and counted.
 *
 * @param name of the file
 * @param jobs in the order of their submission; of those submitted at once, in the order of their lines
 * @param faults of the lines that were left out or out of order
 */
public record JobLog(String name, SwfHeader header, List<SwfJob> jobs, LogFaults faults) {

    public JobLog {
        jobs = List.copyOf(jobs);
    }

    /**
     * Reads a log whole.
     *
     * @throws UnusableLog if it cannot be read, no job is left, or more than half of its lines are no jobs
     */
    public static JobLog read(Path file) {
        try (LogLines lines = LogLines.open(file)) {
            return new LogReading(file, lines).whole();
        }
    }

    /** Its name, with how many of its lines were left out, if any. */
    public String source() {
        return faults.appendedTo(name);
    }
}
