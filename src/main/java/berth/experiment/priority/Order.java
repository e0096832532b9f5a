package berth.experiment.priority;

/** The order in which requests go to the advance reservation module. */
enum Order {
    /** Paper 002's: by priority and length, in rounds. */
    DPSAR,
    /** As they come, without priority: what the paper compares it with. */
    ARWP
}
