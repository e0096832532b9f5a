package berth.experiment.adaptive;

import berth.experiment.JobSelection;
import berth.experiment.Paper;
import berth.experiment.Paper.Variation;
import berth.experiment.Sp2Setup;
import berth.workload.AdaptiveRequestRecipe.Deadline;
import berth.workload.JobWindows;
import java.util.stream.Stream;

/** Paper 003: moldable and preemptible requests. */
public final class AdaptivePaper {
    private static final String LATER = "deadlines five run times after the run, not after the submission";

    private AdaptivePaper() {}

    /**
     * The paper on all jobs of a minute or longer.
     *
     * @param jobs in windows of 15 days
     * @param seed of all that is drawn
     */
    public static Paper of(JobWindows jobs, long seed) {
        return of(jobs, JobSelection.ALL, seed);
    }

    /** The same on some of them first; without the readings by which some window has no request. */
    static Paper of(JobWindows jobs, JobSelection selection, long seed) {
        var setup = new Sp2Setup(jobs, seed);
        Stream<Variation> selections = Stream.of(JobSelection.values())
                .filter(other -> other != selection)
                .flatMap(other -> variation(other.words(), new AdaptiveStudy(setup, other, Deadline.FIVE_RUN_TIMES)));
        Stream<Variation> later = Stream.of(selection, JobSelection.LARGE)
                .distinct()
                .flatMap(some -> variation(
                        some == selection ? LATER : some.words() + ", " + LATER,
                        new AdaptiveStudy(setup, some, Deadline.FIVE_AFTER_THE_RUN)));
        return new Paper(
                "003",
                "Impact of adaptive resource allocation requests in utility cluster computing environments",
                "M. A. S. Netto and R. Buyya, CCGrid 2007",
                new AdaptiveStudy(setup, selection, Deadline.FIVE_RUN_TIMES),
                Stream.concat(selections, later).toList());
    }

    /** None where the jobs are too few for it. */
    private static Stream<Variation> variation(String says, AdaptiveStudy study) {
        return study.isAskedInEveryWindow() ? Stream.of(new Variation(says, study)) : Stream.empty();
    }
}
