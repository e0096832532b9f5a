package berth.experiment.slots;

/**
 * What an experiment of paper 004 varies.
 *
 * @param medium umed, where the two stages of the sizes' distribution meet
 * @param arrivalFactor by which requests come denser
 * @param flexibility both the artime factor and the deadline factor; the paper's five pairs are not in its text, ours are
 *     {1, 1} to {5, 5}
 */
record Setting(double medium, double arrivalFactor, double flexibility) {
    static final Setting DEFAULT = new Setting(7, 1, 3);
}
