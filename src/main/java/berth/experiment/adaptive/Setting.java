package berth.experiment.adaptive;

/**
 * The parameters of an experiment of paper 003.
 *
 * @param load the factor by which requests are denser
 */
record Setting(RequestType type, Scheduler scheduler, double load) {

    /** Returns a description without the load. */
    String words() {
        return "%s, %s".formatted(scheduler, type.words());
    }

    /** Returns the same setting with another scheduler. */
    Setting under(Scheduler other) {
        return new Setting(type, other, load);
    }

    /** Returns the setting for comparison: rigid requests without rescheduling, at the same load. */
    Setting traditional() {
        return new Setting(RequestType.RIGID, Scheduler.FIFO, load);
    }
}
