package berth.experiment.flexible;

import static berth.experiment.flexible.Experiment.ALTERNATIVES;
import static berth.experiment.flexible.Experiment.DISTANCES;
import static berth.experiment.flexible.Experiment.ESTIMATES;
import static berth.experiment.flexible.Experiment.INTERVALS;
import static berth.experiment.flexible.Experiment.LEVELS;
import static berth.experiment.flexible.Experiment.ORDERS;

import berth.experiment.JobSelection;
import java.util.List;

/** Ways to read what the paper leaves open, each with the experiments in which it makes a difference. */
enum Version {
    /** As we read it. */
    OURS("000", "", Experiment.values()),
    /** Load grows by requests that are added, not by the same ones in a shorter time. */
    MORE_JOBS("000-more-jobs", "more load by more jobs, borrowed from the next window", ORDERS, LEVELS, INTERVALS),
    /** A request with p = 0 is to start when it is made. */
    AT_ONCE("000-at-once", "p = 0 is taken as 1", LEVELS, INTERVALS, ALTERNATIVES, DISTANCES),
    /** The run times of the log are the actual ones, and estimates are longer than they. */
    LOGGED_RUNS("000-logged-runs", "runs as long as logged, and estimated to be longer", ESTIMATES),
    /** The waiting queue is placed anew when a run ends early, so that whoever waits gains the time. */
    PULLED_FORWARD("000-pulled-forward", "whoever waits is pulled forward when a run ends early", ESTIMATES),
    /** Of those that are refused as many take alternatives as are flexible. */
    HALF_ASK("000-half-ask", "half of the refused take alternatives, as half are flexible", ALTERNATIVES, DISTANCES),
    /** As many are flexible as take alternatives where they are refused. */
    ALL_FLEXIBLE(
            "000-all-flexible", "all requests are flexible, as all of the refused take alternatives", ALTERNATIVES),
    /** Those nearest in number to the jobs of paper 003, which the paper names for its simulator. */
    LARGE_JOBS("000-large-jobs", JobSelection.LARGE.words(), LEVELS, INTERVALS, ESTIMATES, DISTANCES) {
        @Override
        JobSelection jobs() {
            return JobSelection.LARGE;
        }
    },
    /** What is reserved is what users asked for, and runs end as in the log. */
    REQUESTED_TIMES(
            "000-requested-times",
            "reserved as long as users asked for, run as long as logged",
            LEVELS,
            INTERVALS,
            DISTANCES),
    /** The estimates are those of users, beside exact ones; runs end as in the log. */
    USERS_ESTIMATES("000-users-estimates", "overestimated as users do, run as long as logged", ESTIMATES),
    /** The farthest of the alternatives within the threshold: how far they could lie at all. */
    FARTHEST("000-farthest", "the farthest alternative within the threshold is taken", DISTANCES);

    private final String study;
    private final String words;
    private final List<Experiment> experiments;

    Version(String study, String words, Experiment... experiments) {
        this.study = study;
        this.words = words;
        this.experiments = List.of(experiments);
    }

    /** The name of its study. */
    String study() {
        return study;
    }

    /** What is read otherwise than we do, for people; empty: nothing. */
    String words() {
        return words;
    }

    /** What is run. */
    List<Experiment> experiments() {
        return experiments;
    }

    /** Which of the jobs of a minute or longer become requests. */
    JobSelection jobs() {
        return JobSelection.ALL;
    }

    /** Whether users' estimates are what is reserved in a scenario, and the log says when runs end. */
    boolean reservesRequestedTimes(RunTimes runTimes) {
        return this == REQUESTED_TIMES || this == USERS_ESTIMATES && runTimes == RunTimes.OVERESTIMATED;
    }

    /** Share of the requests that are flexible. */
    double flexibleShare() {
        return this == ALL_FLEXIBLE ? 1 : 0.5;
    }

    /** Share of the refused that take alternatives. */
    double askingShare() {
        return this == HALF_ASK ? 0.5 : 1;
    }
}
