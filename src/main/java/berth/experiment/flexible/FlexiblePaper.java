package berth.experiment.flexible;

import berth.experiment.Paper;
import berth.experiment.Paper.Variation;
import berth.experiment.Sp2Setup;
import berth.workload.JobWindows;
import java.util.stream.Stream;

/** Paper 000: flexible and adaptive advance reservations. */
public final class FlexiblePaper {
    private FlexiblePaper() {}

    /**
     * Returns the paper's studies on some jobs.
     *
     * @param jobs the jobs in windows of 15 days
     * @param seed the seed of all draws
     */
    public static Paper of(JobWindows jobs, long seed) {
        var setup = new Sp2Setup(jobs, seed);
        return new Paper(
                "000",
                "SLA-based advance reservations with flexible and adaptive time QoS parameters",
                "M. A. S. Netto, K. Bubendorfer and R. Buyya, ICSOC 2007",
                new FlexibleStudy(setup, Version.OURS),
                Stream.of(Version.values())
                        .filter(version -> version != Version.OURS)
                        .map(version -> new Variation(version.words(), new FlexibleStudy(setup, version)))
                        .toList());
    }
}
