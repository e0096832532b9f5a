package berth.lab.experiment.slots;

/**
 * How far in advance requests are made and how loose their deadlines are.
 *
 * @param artime the factor of the time from the request to the ready time, not negative
 * @param deadline the factor of the flexibility, not negative
 */
record Pair(double artime, double deadline) {

    /** Returns one number if both factors are equal. */
    String text() {
        return artime == deadline ? SlotSweep.text(artime) : SlotSweep.text(artime) + "|" + SlotSweep.text(deadline);
    }
}
