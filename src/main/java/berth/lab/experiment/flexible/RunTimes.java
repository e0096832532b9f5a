package berth.lab.experiment.flexible;

/** The actual run times compared with the estimates. */
enum RunTimes {
    AS_ESTIMATED,
    /** A Poisson number of mean 80 in percent of the estimate, at most 100. */
    OVERESTIMATED
}
