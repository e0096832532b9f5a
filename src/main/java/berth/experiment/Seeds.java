package berth.experiment;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/** Seeds of runs, drawn from that of the whole experiment. */
public final class Seeds {
    private Seeds() {}

    /**
     * The seed of a repetition: the number of that rank in the sequence that the seed of the experiment begins. So another
     * repetition more leaves those before it as they were.
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
