package berth.lab.experiment.adaptive;

import berth.lab.experiment.JobSelection;
import berth.lab.experiment.Judged;
import berth.lab.experiment.Paper;
import berth.lab.experiment.Paper.Variation;
import berth.lab.experiment.Sp2Setup;
import berth.lab.workload.JobWindows;
import java.util.stream.Stream;

/** Paper 003: moldable and preemptible requests. */
public final class AdaptivePaper {
    private static final String LATER = "deadlines five run times after the run, not after the submission";

    private static final String KEPT =
            "requests that are placed again keep their shapes if there is room, as in our first results";

    private static final String SUPPORTED =
            "Section 4.1 has 244 ± 68 requests in each of 48 files and 11,244 in total, so its jobs are"
                    + " far fewer than the log's 41,036 of a minute or longer, although it names no other rule. Of the selections here, this one"
                    + " has the total (11,274) and the deviation (71) nearest to these figures; a random sample of that size would vary more.";

    private AdaptivePaper() {}

    /**
     * Returns the paper's studies on all jobs of a minute or longer.
     *
     * @param jobs the jobs in windows of 15 days
     * @param judged the claims that other readings judge
     * @param seed the seed of all draws
     */
    public static Paper of(JobWindows jobs, Judged judged, long seed) {
        return of(jobs, JobSelection.ALL, judged, seed);
    }

    /**
     * Returns the paper's studies with the main study on a selection of the jobs. Readings that would leave a window without requests are
     * left out.
     */
    static Paper of(JobWindows jobs, JobSelection selection, Judged judged, long seed) {
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
                        AdaptiveStudy.of(setup, some).withLaterDeadlines(judged)));
        return new Paper(
                        "003",
                        "Impact of adaptive resource allocation requests in utility cluster computing environments",
                        "M. A. S. Netto and R. Buyya, CCGrid 2007",
                        AdaptiveStudy.of(setup, selection),
                        Stream.of(keeping, selections, later)
                                .flatMap(some -> some)
                                .toList())
                .supporting(
                        selection == JobSelection.NORMAL_AND_LOW ? "" : JobSelection.NORMAL_AND_LOW.words(), SUPPORTED);
    }

    /** Returns a variation, unless there are too few jobs for it. */
    private static Stream<Variation> variation(String says, AdaptiveStudy study) {
        return study.isAskedInEveryWindow() ? Stream.of(new Variation(says, study)) : Stream.empty();
    }
}
