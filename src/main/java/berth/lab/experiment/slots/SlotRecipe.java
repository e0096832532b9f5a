package berth.lab.experiment.slots;

import berth.cluster.Binding;
import berth.lab.workload.LublinFeitelson;

/**
 * The reading of what paper 004 leaves open or its text has lost.
 *
 * @param load the offered load at the default setting, more than 0: requested PE-seconds / (PEs · time). It determines the mean gap between
 *     jobs, which stays the same as umed varies, so larger jobs mean more load
 * @param binding early in the paper, whose structure knows each PE
 * @param lowShare uprob, the probability of the lower stage of sizes
 */
record SlotRecipe(double load, Binding binding, Pairs pairs, double lowShare, ModelRunTimes runTimes) {

    /** Returns the recipe of our main reading. */
    static SlotRecipe of(double load, Binding binding) {
        return new SlotRecipe(
                load, binding, Pairs.EQUAL, LublinFeitelson.ALL_JOBS.sizes().lowShare(), ModelRunTimes.SCALED);
    }

    SlotRecipe with(double otherLoad) {
        return new SlotRecipe(otherLoad, binding, pairs, lowShare, runTimes);
    }

    SlotRecipe with(Binding other) {
        return new SlotRecipe(load, other, pairs, lowShare, runTimes);
    }

    SlotRecipe with(Pairs others) {
        return new SlotRecipe(load, binding, others, lowShare, runTimes);
    }

    SlotRecipe withLowShare(double other) {
        return new SlotRecipe(load, binding, pairs, other, runTimes);
    }

    SlotRecipe with(ModelRunTimes others) {
        return new SlotRecipe(load, binding, pairs, lowShare, others);
    }

    /** Returns the model of jobs for a umed. */
    LublinFeitelson model(double medium) {
        return runTimes.of(LublinFeitelson.connectionMachine(medium).withLowShare(lowShare));
    }
}
