package berth.experiment;

import berth.workload.JobWindows;
import berth.workload.SwfJob;
import java.util.List;

/**
 * What the papers that use the log of the SDSC SP2 have in common: a machine of 128 PEs and the log in windows of 15 days,
 * each of which is run by itself.
 *
 * @param jobs of the log, or such as stand in for it
 * @param seed of all that is drawn
 */
public record Sp2Setup(JobWindows jobs, long seed) {
    /** PEs of the machine. */
    public static final int PES = 128;

    /** Length of a window in seconds. */
    public static final long WINDOW = 15L * 86_400;

    /** How many windows there are. */
    public int windows() {
        return jobs.windows().size();
    }

    /** The jobs of a window, counted from 1. */
    public List<SwfJob> of(int window) {
        return jobs.windows().get(window - 1);
    }

    /** The seed of what is drawn for a window, counted from 1. */
    public long seedOf(int window) {
        return Seeds.ofRepetition(seed, window);
    }

    /**
     * The title of a study.
     *
     * @param paper its number
     * @param otherwise what is special about the jobs, with a space before it; may be empty
     */
    public String title(String paper, String otherwise) {
        return "Paper %s: %d PEs, %s%s, windows of 15 days: %d, seed %d"
                .formatted(paper, PES, jobs.source(), otherwise, windows(), seed);
    }
}
