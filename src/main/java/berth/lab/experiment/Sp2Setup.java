package berth.lab.experiment;

import berth.lab.workload.JobWindows;
import berth.lab.workload.SwfJob;
import java.util.List;

/**
 * The common setup of the papers that use the SDSC SP2 log: a machine of 128 PEs, and the log in windows of 15 days, each simulated on its
 * own.
 *
 * @param jobs the jobs of the log, or of the model that replaces it
 * @param seed the seed of all draws
 */
public record Sp2Setup(JobWindows jobs, long seed) {
    /** The PEs of the machine. */
    public static final int PES = 128;

    /** The length of a window in seconds. */
    public static final long WINDOW = 15L * 86_400;

    /** Returns the number of windows. */
    public int windows() {
        return jobs.windows().size();
    }

    /** Returns the jobs of a window, counted from 1. */
    public List<SwfJob> of(int window) {
        return jobs.windows().get(window - 1);
    }

    /** Returns the seed of a window's draws, counted from 1. */
    public long seedOf(int window) {
        return Seeds.ofRepetition(seed, window);
    }

    /**
     * Returns the title of a study.
     *
     * @param paper the number of the paper
     * @param otherwise what is special about the jobs, with a leading space; may be empty
     */
    public String title(String paper, String otherwise) {
        return "Paper %s: %d PEs, %s%s, windows of 15 days: %d, seed %d"
                .formatted(paper, PES, jobs.source(), otherwise, windows(), seed);
    }
}
