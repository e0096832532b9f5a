package berth.experiment.flexible;

/** How long runs take of what was estimated. */
enum RunTimes {
    AS_ESTIMATED,
    /** A Poisson number of mean 80 in percent of the estimate, at most all of it. */
    OVERESTIMATED
}
