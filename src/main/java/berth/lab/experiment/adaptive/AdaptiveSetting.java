package berth.lab.experiment.adaptive;

/**
 * The parameters of an experiment of paper 003.
 *
 * @param load the factor by which requests are denser
 */
record AdaptiveSetting(RequestType type, Scheduler scheduler, double load) {

    /** Returns a description without the load. */
    String words() {
        return "%s, %s".formatted(scheduler, type.words());
    }

    /** Returns the same setting with another scheduler. */
    AdaptiveSetting under(Scheduler other) {
        return new AdaptiveSetting(type, other, load);
    }

    /** Returns the setting for comparison: rigid requests without rescheduling, at the same load. */
    AdaptiveSetting traditional() {
        return new AdaptiveSetting(RequestType.RIGID, Scheduler.FIFO, load);
    }
}
