package berth.lab.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A reader of one log, for a single use. Not thread-safe. */
final class LogReading {
    /** The UTF-8 byte order mark that some editors put at the beginning of a file, as three characters, one for each byte. */
    private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

    private final Path file;
    private final LogLines lines;
    private final List<String> comments = new ArrayList<>();
    private final List<SwfJob> jobs = new ArrayList<>();
    private final Set<Long> numbers = new HashSet<>();

    /** Where each job is among the jobs, if it may have several rows. */
    private final Map<Identity, Integer> places = new HashMap<>();

    private long reused;
    private Optional<LogFormat> format = Optional.empty();
    private SwfHeader header = SwfHeader.of(List.of());
    private LogFaults faults = LogFaults.NONE;
    private long lastSubmit = Long.MIN_VALUE;

    /** A job of a machine that uses numbers again. */
    private record Identity(long number, long submit) {}

    LogReading(Path file, LogLines lines) {
        this.file = file;
        this.lines = lines;
    }

    /**
     * Reads the whole log.
     *
     * @throws UnusableLog if it has no usable job or more than half of the lines are not jobs
     */
    JobLog whole() {
        for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
            take(line.get().replace(BYTE_ORDER_MARK, "").strip());
        }
        if (lines.isDamaged()) {
            fault(LogFault.DAMAGED);
        }
        check();
        jobs.sort(Comparator.comparingLong(SwfJob::submit));
        return new JobLog(String.valueOf(file.getFileName()), header, jobs, faults);
    }

    private void take(String line) {
        if (line.startsWith(";")) {
            comments.add(line);
        } else if (line.length() > LogLines.LONGEST) {
            fault(LogFault.TOO_LONG);
        } else if (!line.isEmpty()) {
            format.ifPresentOrElse(known -> take(known.read(line), known), () -> begin(line));
        }
    }

    /** Handles the first line that is neither blank nor a comment. It determines the format. */
    private void begin(String line) {
        header = SwfHeader.of(comments);
        if (line.contains(SacctTable.SEPARATOR)) {
            format = Optional.of(SacctTable.of(line, lacking -> UnusableLog.of(file, lacking)));
        } else {
            format = Optional.of(new SwfRecord());
            take(line);
        }
    }

    private void take(LogEntry entry, LogFormat read) {
        switch (entry) {
            case LogFault fault -> fault(fault);
            case SwfJob job when job.pes() > header.machinePes().orElse(Integer.MAX_VALUE) -> fault(LogFault.TOO_LARGE);
            case SwfJob job when read.hasSeveralRows() -> addRow(job, read);
            case SwfJob job when isRepeated(job) -> fault(LogFault.REPEATED);
            case SwfJob job -> add(job, read);
            case LogEntry.Other _ -> {}
        }
    }

    /** Returns whether an earlier job has the same number. Negative numbers stand for unknown and never count as repeated. */
    private boolean isRepeated(SwfJob job) {
        return job.number() >= 0 && !numbers.add(job.number());
    }

    /** Adds a job, or what a further row shows of it. */
    private void addRow(SwfJob job, LogFormat read) {
        var place = places.putIfAbsent(new Identity(job.number(), job.submit()), jobs.size());
        if (place != null) {
            if (isEnded(job) || !isEnded(jobs.get(place))) {
                jobs.set(place, job.numbered(jobs.get(place).number()));
            }
            fault(LogFault.SAME_JOB);
        } else if (isRepeated(job)) {
            // no number of a log is so large
            add(job.numbered(Long.MAX_VALUE - reused++), read);
            fault(LogFault.REUSED);
        } else {
            add(job, read);
        }
    }

    private static boolean isEnded(SwfJob job) {
        return job.runTime() >= 0;
    }

    private void add(SwfJob job, LogFormat read) {
        if (read.isInOrder() && job.submit() < lastSubmit) {
            fault(LogFault.OUT_OF_ORDER);
        }
        lastSubmit = job.submit();
        jobs.add(job);
    }

    private void fault(LogFault fault) {
        faults = faults.with(fault, lines.number());
    }

    private void check() {
        if (jobs.isEmpty()) {
            throw UnusableLog.of(
                    file,
                    faults.isEmpty()
                            ? "has no jobs. Give a log in the Standard Workload Format or the output of sacct --parsable2."
                            : "has no usable job: %s. Give a log in the Standard Workload Format or the output of sacct --parsable2."
                                    .formatted(String.join("; ", faults.texts())));
        }
        if (faults.noJobs() > jobs.size() + faults.leftOut() - faults.noJobs()) {
            throw UnusableLog.of(
                    file,
                    "most of its lines are not jobs: %s. Check that it is a log and that its columns are those of its format."
                            .formatted(String.join("; ", faults.texts())));
        }
    }
}
