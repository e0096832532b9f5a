package berth.experiment.adaptive;

import berth.experiment.JobSelection;
import berth.experiment.Paper;
import berth.experiment.Paper.Variation;
import berth.experiment.Sp2Setup;
import berth.workload.JobWindows;
import java.util.stream.Stream;

/** Paper 003: moldable and preemptible requests. */
public final class AdaptivePaper {
    private static final String LATER = "deadlines five run times after the run, not after the submission";

    private static final String KEPT =
            "requests that are placed again keep their shapes if there is room, as in our first results";

    private AdaptivePaper() {}

    /**
     * Returns the paper's studies on all jobs of a minute or longer.
     *
     * @param jobs the jobs in windows of 15 days
     * @param seed the seed of all draws
     */
    public static Paper of(JobWindows jobs, long seed) {
        return of(jobs, JobSelection.ALL, seed);
    }

    /**
     * Returns the paper's studies with the main study on a selection of the jobs. Readings that would leave a window without requests are
     * left out.
     */
    static Paper of(JobWindows jobs, JobSelection selection, long seed) {
        var setup = new Sp2Setup(jobs, seed);
        Stream<Variation> selections = Stream.of(JobSelection.values())
                .filter(other -> other != selection)
                .flatMap(other -> variation(other.words(), AdaptiveStudy.of(setup, other)));
        Stream<Variation> keeping =
                variation(KEPT, AdaptiveStudy.of(setup, selection).keepingShapes());
        Stream<Variation> later = Stream.of(selection, JobSelection.LARGE)
                .distinct()
                .flatMap(some -> variation(
                        some == selection ? LATER : some.words() + ", " + LATER,
                        AdaptiveStudy.of(setup, some).withLaterDeadlines()));
        return new Paper(
                "003",
                "Impact of adaptive resource allocation requests in utility cluster computing environments",
                "M. A. S. Netto and R. Buyya, CCGrid 2007",
                AdaptiveStudy.of(setup, selection),
                Stream.of(keeping, selections, later).flatMap(some -> some).toList());
    }

    /** Returns a variation, unless there are too few jobs for it. */
    private static Stream<Variation> variation(String says, AdaptiveStudy study) {
        return study.isAskedInEveryWindow() ? Stream.of(new Variation(says, study)) : Stream.empty();
    }
}
