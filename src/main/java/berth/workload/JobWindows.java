package berth.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.commons.rng.JumpableUniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Jobs cut into windows of equal length, each to be run by itself. Times of submission count from the beginning of the
 * window.
 *
 * @param source where they come from, in words
 * @param machinePes PEs of the machine they ran on, where that is known
 * @param length of a window in seconds, at least 1
 * @param windows the jobs of each, in the order of their submission
 * @param faults of the log's lines, those outside the windows as well
 */
public record JobWindows(
        String source, OptionalInt machinePes, long length, List<List<SwfJob>> windows, LogFaults faults) {
    private static final int MODELLED_PES = 128;

    /**
     * The mean gap in seconds between modelled jobs for 128 PEs that makes them ask for 81 % of these, as much as the jobs
     * of the SDSC SP2 log do that ran for a minute or longer.
     */
    private static final double MEAN_GAP = 832;

    /** @throws IllegalArgumentException if there are none */
    public JobWindows {
        windows = windows.stream().map(List::copyOf).toList();
        if (windows.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s has no whole window of %d s. Give a longer log.".formatted(source, length));
        }
    }

    /**
     * A log, cut from its first submission on. What follows the last whole window is dropped.
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
                log.source(), log.header().machinePes(), length, cut(jobs, first, whole, length), log.faults());
    }

    /** Jobs of the model of Lublin and Feitelson for 128 PEs, where there is no log; equal seeds give equal jobs. */
    public static JobWindows modelled(long seed, int windows, long length) {
        var random = (JumpableUniformRandomProvider) RandomSource.XO_SHI_RO_256_PP.create(seed);
        var draws = LublinFeitelson.ALL_JOBS.withMeanGap(MEAN_GAP).draws(random);
        List<SwfJob> jobs = new ArrayList<>();
        for (ModelJob job = draws.next(); job.submit() < (double) windows * length; job = draws.next()) {
            jobs.add(new SwfJob(
                    jobs.size() + 1L, (long) job.submit(), job.runTime(), job.pes(), job.pes(), job.runTime(), -1));
        }
        return new JobWindows(
                "modelled jobs of seed " + seed,
                OptionalInt.of(MODELLED_PES),
                length,
                cut(jobs, 0, windows, length),
                LogFaults.NONE);
    }

    private static List<List<SwfJob>> cut(List<SwfJob> jobs, long first, long windows, long length) {
        List<List<SwfJob>> cut = new ArrayList<>();
        while (cut.size() < windows) {
            cut.add(new ArrayList<>());
        }
        for (SwfJob job : jobs) {
            long since = job.submit() - first;
            if (since / length < windows) {
                cut.get((int) (since / length)).add(job.submittedAt(since % length));
            }
        }
        return cut;
    }

    /** The first of the windows, all if there are not more. */
    public JobWindows first(int most) {
        return new JobWindows(source, machinePes, length, windows.subList(0, Math.min(most, windows.size())), faults);
    }
}
