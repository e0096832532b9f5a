package berth.experiment.slots;

/**
 * How far ahead requests are made, and how loose their deadlines are.
 *
 * @param artime factor of the time from the request to the ready time, not negative
 * @param deadline factor of the flexibility, not negative
 */
record Pair(double artime, double deadline) {

    /** One number where both factors are equal. */
    String text() {
        return artime == deadline ? Sweep.text(artime) : Sweep.text(artime) + "|" + Sweep.text(deadline);
    }
}
