package berth.lab.workload;

import java.nio.file.Path;
import java.util.List;

/**
 * A log of jobs, in the Standard Workload Format or as Slurm's {@code sacct --parsable2} prints it, gzip-compressed or not. The first line
 * that is neither blank nor a comment determines the format. The log is held in memory, at about 100 bytes a job.
 *
 * <p>Lines that begin with {@code ;} are comments in both formats; those before the first job form the header. Unusable lines are skipped
 * and counted.
 *
 * @param name the name of the file
 * @param jobs the jobs in the order of submission, and in the order of lines for equal times
 * @param faults the faults of lines that were skipped or out of order
 */
public record JobLog(String name, SwfHeader header, List<SwfJob> jobs, LogFaults faults) {

    public JobLog {
        jobs = List.copyOf(jobs);
    }

    /**
     * Reads a whole log.
     *
     * @throws UnusableLog if it cannot be read, has no usable job, or more than half of its lines are not jobs
     */
    public static JobLog read(Path file) {
        try (LogLines lines = LogLines.open(file)) {
            return new LogReading(file, lines).whole();
        }
    }

    /** Returns the name of the log and, if lines were skipped, how many. */
    public String source() {
        return faults.appendedTo(name);
    }
}
