package berth.lab.experiment.slots;

/**
 * The parameters of an experiment of paper 004.
 *
 * @param medium umed, the border of the two stages of the size distribution
 * @param arrivalFactor the factor by which requests are denser
 * @param pair the artime factor and the deadline factor
 */
record SlotSetting(double medium, double arrivalFactor, Pair pair) {
    static final double DEFAULT_MEDIUM = 7;
    static final double DEFAULT_ARRIVALS = 1;
}
