package berth.experiment.slots;

/**
 * What an experiment of paper 004 varies.
 *
 * @param medium umed, where the two stages of the sizes' distribution meet
 * @param arrivalFactor by which requests come denser
 * @param pair the artime factor and the deadline factor
 */
record Setting(double medium, double arrivalFactor, Pair pair) {
    static final double DEFAULT_MEDIUM = 7;
    static final double DEFAULT_ARRIVALS = 1;
}
