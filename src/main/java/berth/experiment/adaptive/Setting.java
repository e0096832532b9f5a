package berth.experiment.adaptive;

/**
 * What an experiment of paper 003 varies.
 *
 * @param load by which factor requests come denser
 */
record Setting(RequestType type, Scheduler scheduler, double load) {

    /** For people, without the load. */
    String words() {
        return "%s, %s".formatted(scheduler, type.words());
    }

    /** The same under another scheduler. */
    Setting under(Scheduler other) {
        return new Setting(type, other, load);
    }

    /** What the others are compared with: rigid requests without rescheduling, at the same load. */
    Setting traditional() {
        return new Setting(RequestType.RIGID, Scheduler.FIFO, load);
    }
}
