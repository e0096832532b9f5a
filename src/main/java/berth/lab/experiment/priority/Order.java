package berth.lab.experiment.priority;

/** The order in which requests go to the advance reservation module. */
enum Order {
    /** Paper 002's order: by priority and length, in rounds. */
    DPSAR,
    /** The order of arrival, without priority, with which the paper compares it. */
    ARWP
}
