package berth.experiment.whatif;

import berth.workload.MixedWorkload;

/** Which jobs there are beside the requests. */
enum Variant {
    /** Those of the log. */
    STANDARD,
    /** The same, of which none takes 89 nodes or more: section 5.4. */
    SMALL_JOBS;

    static final int LIMIT = 88;

    MixedWorkload limited(MixedWorkload workload) {
        return this == SMALL_JOBS ? workload.withJobsOnAtMost(LIMIT) : workload;
    }
}
