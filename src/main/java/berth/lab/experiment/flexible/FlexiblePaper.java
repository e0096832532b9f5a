package berth.lab.experiment.flexible;

import berth.lab.experiment.Judged;
import berth.lab.experiment.Paper;
import berth.lab.experiment.Paper.Variation;
import berth.lab.experiment.Sp2Setup;
import berth.lab.workload.JobWindows;
import java.util.stream.Stream;

/** Paper 000: flexible and adaptive advance reservations. */
public final class FlexiblePaper {
    private static final String SUPPORTED =
            "Section 4.2 modifies \"the actual execution time in the workload trace\" for figure 3 alone,"
                    + " so everywhere else the time of the log is both the estimate and the actual time. Section 4.1 leaves out requests of less"
                    + " than a minute and nothing else. Algorithm 1 places the queue again for a new job, and the paper names no other occasion.";

    private FlexiblePaper() {}

    /**
     * Returns the paper's studies on some jobs.
     *
     * @param jobs the jobs in windows of 15 days
     * @param judged the claims that other readings judge
     * @param seed the seed of all draws
     */
    public static Paper of(JobWindows jobs, Judged judged, long seed) {
        var setup = new Sp2Setup(jobs, seed);
        return new Paper(
                        "000",
                        "SLA-based advance reservations with flexible and adaptive time QoS parameters",
                        "M. A. S. Netto, K. Bubendorfer and R. Buyya, ICSOC 2007",
                        new FlexibleStudy(setup, Version.OURS, Judged.ALL),
                        Stream.of(Version.values())
                                .filter(version -> version != Version.OURS)
                                .map(version ->
                                        new Variation(version.words(), new FlexibleStudy(setup, version, judged)))
                                .toList())
                .supporting("", SUPPORTED);
    }
}
