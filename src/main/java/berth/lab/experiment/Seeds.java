package berth.lab.experiment;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/** Seeds of runs, derived from the seed of the experiment. */
public final class Seeds {
    private Seeds() {}

    /**
     * Returns the seed of a repetition: the number at that position in the sequence that the experiment's seed begins. More repetitions
     * thus leave earlier ones unchanged.
     *
     * @param repetition counted from 1
     */
    public static long ofRepetition(long experiment, int repetition) {
        UniformRandomProvider sequence = RandomSource.SPLIT_MIX_64.create(experiment);
        long seed = sequence.nextLong();
        for (int i = 1; i < repetition; i++) {
            seed = sequence.nextLong();
        }
        return seed;
    }
}
