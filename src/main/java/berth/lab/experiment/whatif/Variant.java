package berth.lab.experiment.whatif;

import berth.lab.workload.MixedWorkload;

/** The jobs beside the requests. */
enum Variant {
    /** The jobs of the log. */
    STANDARD,
    /** The same jobs, none with 89 nodes or more: section 5.4. */
    SMALL_JOBS;

    static final int LIMIT = 88;

    MixedWorkload limited(MixedWorkload workload) {
        return this == SMALL_JOBS ? workload.withJobsOnAtMost(LIMIT) : workload;
    }
}
