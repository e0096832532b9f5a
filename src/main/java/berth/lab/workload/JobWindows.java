package berth.lab.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.apache.commons.rng.JumpableUniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Jobs divided into windows of equal length, each of which is simulated on its own. Times of submission count from the beginning of the
 * window.
 *
 * @param source the source of the jobs, in words
 * @param machinePes the PEs of the machine, if known
 * @param length the length of a window in seconds, at least 1
 * @param windows the jobs of each window in the order of submission
 * @param faults the faults of the log's lines, including those outside the windows
 */
public record JobWindows(
        String source, OptionalInt machinePes, long length, List<List<SwfJob>> windows, LogFaults faults) {
    private static final int MODELLED_PES = 128;

    /**
     * The mean gap in seconds between modelled jobs for 128 PEs that gives a load of 81 %, equal to that of the jobs of the SDSC SP2 log
     * that ran for a minute or longer.
     */
    private static final double MEAN_GAP = 832;

    /** @throws IllegalArgumentException if there are no windows */
    public JobWindows {
        windows = windows.stream().map(List::copyOf).toList();
        if (windows.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s is shorter than one window of %d s. Give a longer log.".formatted(source, length));
        }
    }

    /**
     * Divides a log into windows from its first submission on. Windows without submissions and an incomplete last window are dropped,
     * because a log may pause for long, and a single wrong date looks like a pause.
     *
     * @throws UnusableLog see {@link JobLog#read}
     * @throws IllegalArgumentException if it is shorter than a window
     */
    public static JobWindows ofLog(Path file, long length) {
        JobLog log = JobLog.read(file);
        List<SwfJob> jobs = log.jobs();
        long first = jobs.getFirst().submit();
        long whole = (jobs.getLast().submit() - first) / length;
        return new JobWindows(
                log.source(),
                log.header().machinePes(),
                length,
                List.copyOf(cut(jobs, first, whole, length).values()),
                log.faults());
    }

    /** Draws jobs from the model of Lublin and Feitelson for 128 PEs, for use without a log; equal seeds give equal jobs. */
    public static JobWindows modelled(long seed, int windows, long length) {
        var random = (JumpableUniformRandomProvider) RandomSource.XO_SHI_RO_256_PP.create(seed);
        var draws = LublinFeitelson.ALL_JOBS.withMeanGap(MEAN_GAP).draws(random);
        List<SwfJob> jobs = new ArrayList<>();
        for (ModelJob job = draws.next(); job.submit() < (double) windows * length; job = draws.next()) {
            jobs.add(new SwfJob(
                    jobs.size() + 1L, (long) job.submit(), job.runTime(), job.pes(), job.pes(), job.runTime(), -1));
        }
        var cut = cut(jobs, 0, windows, length);
        return new JobWindows(
                "modelled jobs of seed " + seed,
                OptionalInt.of(MODELLED_PES),
                length,
                LongStream.range(0, windows)
                        .mapToObj(window -> cut.getOrDefault(window, List.of()))
                        .toList(),
                LogFaults.NONE);
    }

    /** Returns the jobs of each window that has any, by the number of the window from 0. */
    private static SortedMap<Long, List<SwfJob>> cut(List<SwfJob> jobs, long first, long windows, long length) {
        SortedMap<Long, List<SwfJob>> cut = new TreeMap<>();
        for (SwfJob job : jobs) {
            long since = job.submit() - first;
            if (since / length < windows) {
                cut.computeIfAbsent(since / length, _ -> new ArrayList<>()).add(job.submittedAt(since % length));
            }
        }
        return cut;
    }

    /** Returns the windows with at least one job that matches {@code wanted}; empty if there are none. */
    public Optional<JobWindows> having(Predicate<SwfJob> wanted) {
        var some = windows.stream()
                .filter(window -> window.stream().anyMatch(wanted))
                .toList();
        return some.isEmpty()
                ? Optional.empty()
                : Optional.of(new JobWindows(source, machinePes, length, some, faults));
    }

    /** Returns the first {@code most} windows, or all if there are no more. */
    public JobWindows first(int most) {
        return new JobWindows(source, machinePes, length, windows.subList(0, Math.min(most, windows.size())), faults);
    }
}
