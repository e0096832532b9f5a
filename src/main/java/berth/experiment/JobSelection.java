package berth.experiment.adaptive;

import berth.workload.SwfJob;
import java.util.function.Predicate;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Which of the jobs that ran for a minute or longer become requests. The paper says that all do, but has 11,244 of them in
 * 48 windows where the log has 41,036.
 */
enum JobSelection {
    ALL("all jobs") {
        @Override
        Predicate<SwfJob> filter(long seed) {
            return job -> true;
        }
    },
    /** Those of half an hour or longer on 8 PEs or more: about as many as the paper has. */
    LARGE("jobs of 30 min or longer on 8 PEs or more") {
        @Override
        Predicate<SwfJob> filter(long seed) {
            return job -> job.runTime() >= 1800 && job.pes() >= 8;
        }
    },
    /** As many as the paper has, by chance. */
    SAMPLE("a sample of 27.4 % of the jobs") {
        @Override
        Predicate<SwfJob> filter(long seed) {
            UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
            return job -> random.nextDouble() < SAMPLE_SHARE;
        }
    };

    private static final double SAMPLE_SHARE = 0.274;

    private final String words;

    JobSelection(String words) {
        this.words = words;
    }

    /** For people. */
    String words() {
        return words;
    }

    /** Says of the jobs of a window, one after the other, whether they are taken. */
    abstract Predicate<SwfJob> filter(long seed);
}
