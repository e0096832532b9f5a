package berth.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.JumpableUniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Jobs cut into windows of equal length, each to be run by itself. Times of submission count from the beginning of the
 * window.
 *
 * @param source where they come from, in words
 * @param length of a window in seconds, at least 1
 * @param windows the jobs of each, in the order of their submission
 */
public record JobWindows(String source, long length, List<List<SwfJob>> windows) {

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
     * @throws SwfException if it cannot be read or is no such log
     * @throws IllegalArgumentException if it is shorter than a window
     */
    public static JobWindows ofLog(Path log, long length) {
        List<SwfJob> jobs = new ArrayList<>();
        try (SwfReader reader = SwfReader.open(log)) {
            reader.forEachRemaining(jobs::add);
        }
        long first = jobs.isEmpty() ? 0 : jobs.getFirst().submit();
        long last = jobs.isEmpty() ? 0 : jobs.getLast().submit();
        return cut(String.valueOf(log.getFileName()), jobs, first, (last - first) / length, length);
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
        return cut("modelled jobs of seed " + seed, jobs, 0, windows, length);
    }

    private static JobWindows cut(String source, List<SwfJob> jobs, long first, long windows, long length) {
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
        return new JobWindows(source, length, cut);
    }

    /** The first of the windows, all if there are not more. */
    public JobWindows first(int most) {
        return new JobWindows(source, length, windows.subList(0, Math.min(most, windows.size())));
    }
}
