package berth.lab.experiment.juggling;

import berth.lab.experiment.Extent;
import berth.lab.experiment.Paper;
import java.util.List;

/** A question that the paper does not ask about its own algorithm. There are no claims, so there is nothing to judge. */
final class ExactPaper {
    private ExactPaper() {}

    /**
     * Returns the study.
     *
     * @param seed the seed of all requests
     */
    public static Paper of(Extent extent, long seed) {
        return of(extent.of(ExactCommand.QUICK_INSTANCES, ExactCommand.INSTANCES), seed);
    }

    static Paper of(int instances, long seed) {
        return new Paper(
                "exact",
                "How close placing the waiting queue again comes to the best possible placement",
                "Beyond paper 000, section 3.2",
                new ExactStudy(instances, seed),
                List.of());
    }
}
