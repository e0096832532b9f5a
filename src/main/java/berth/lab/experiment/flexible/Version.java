package berth.lab.experiment.flexible;

import static berth.lab.experiment.flexible.Experiment.ALTERNATIVES;
import static berth.lab.experiment.flexible.Experiment.DISTANCES;
import static berth.lab.experiment.flexible.Experiment.ESTIMATES;
import static berth.lab.experiment.flexible.Experiment.INTERVALS;
import static berth.lab.experiment.flexible.Experiment.LEVELS;
import static berth.lab.experiment.flexible.Experiment.ORDERS;

import berth.lab.experiment.JobSelection;
import java.util.List;

/** Readings of what the paper leaves open, each with the experiments in which it matters. */
enum Version {
    /** Our main reading. */
    OURS("000", "", Experiment.values()),
    /** A higher load means additional requests instead of the same ones in less time. */
    MORE_JOBS("000-more-jobs", "more load by more jobs, borrowed from the next window", ORDERS, LEVELS, INTERVALS),
    /** A request with p = 0 starts when it is made. */
    AT_ONCE("000-at-once", "p = 0 is taken as 1", LEVELS, INTERVALS, ALTERNATIVES, DISTANCES),
    /** The run times of the log are the actual ones, and estimates are longer. */
    LOGGED_RUNS("000-logged-runs", "runs as long as logged, and estimated to be longer", ESTIMATES),
    /** The waiting queue is replanned when a run ends early, so that waiting requests can start sooner. */
    PULLED_FORWARD("000-pulled-forward", "waiting reservations are pulled forward when a run ends early", ESTIMATES),
    /** The share of refused requests that accept alternatives equals that of flexible requests, a half. */
    HALF_ASK(
            "000-half-ask",
            "half of the rejected requests take alternatives, as half are flexible",
            ALTERNATIVES,
            DISTANCES),
    /** The share of flexible requests equals that of refused requests that accept alternatives: all of them. */
    ALL_FLEXIBLE("000-all-flexible", "all requests are flexible, as all rejected ones take alternatives", ALTERNATIVES),
    /** The jobs whose number is closest to that of paper 003, which the paper cites for its simulator. */
    LARGE_JOBS("000-large-jobs", JobSelection.LARGE.words(), LEVELS, INTERVALS, ESTIMATES, DISTANCES) {
        @Override
        JobSelection jobs() {
            return JobSelection.LARGE;
        }
    },
    /** The reserved time is what users asked for, and runs end as in the log. */
    REQUESTED_TIMES(
            "000-requested-times",
            "reserved as long as users asked for, run as long as logged",
            LEVELS,
            INTERVALS,
            DISTANCES),
    /** The estimates are those of users, beside exact ones; runs end as in the log. */
    USERS_ESTIMATES("000-users-estimates", "overestimated as by users, run as long as logged", ESTIMATES),
    /** The farthest alternative within the threshold is accepted, which shows how far they can lie. */
    FARTHEST("000-farthest", "requests take the farthest alternative within the threshold", DISTANCES);

    private final String study;
    private final String words;
    private final List<Experiment> experiments;

    Version(String study, String words, Experiment... experiments) {
        this.study = study;
        this.words = words;
        this.experiments = List.of(experiments);
    }

    /** Returns the name of its study. */
    String study() {
        return study;
    }

    /** Returns the difference from our main reading; empty if there is none. */
    String words() {
        return words;
    }

    /** Returns the experiments in which it may matter most. */
    List<Experiment> experiments() {
        return experiments;
    }

    /** Returns which of the jobs of a minute or longer become requests. */
    JobSelection jobs() {
        return JobSelection.ALL;
    }

    /** Whether a scenario reserves users' estimates and takes the ends of runs from the log. */
    boolean reservesRequestedTimes(RunTimes runTimes) {
        return this == REQUESTED_TIMES || this == USERS_ESTIMATES && runTimes == RunTimes.OVERESTIMATED;
    }

    /** Returns the share of flexible requests. */
    double flexibleShare() {
        return this == ALL_FLEXIBLE ? 1 : 0.5;
    }

    /** Returns the share of refused requests that accept alternatives. */
    double askingShare() {
        return this == HALF_ASK ? 0.5 : 1;
    }
}
