package berth.lab.experiment;

import berth.lab.workload.SwfJob;
import java.util.function.Predicate;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * The selections of the jobs that become requests, among those that ran for a minute or longer. Paper 003 says that all of these become
 * requests, but has 244 ± 68 of them in a window and 11,244 in total, whereas the log has 850 ± 350 and 41,036.
 */
public enum JobSelection {
    ALL("all jobs") {
        @Override
        public Predicate<SwfJob> filter(long seed) {
            return job -> true;
        }
    },
    /** Jobs of half an hour or longer on 8 PEs or more, about as many as in the paper. */
    LARGE("jobs of 30 min or longer on 8 PEs or more") {
        @Override
        public Predicate<SwfJob> filter(long seed) {
            return job -> job.runTime() >= 1800 && job.pes() >= 8;
        }
    },
    /** Jobs of an hour or longer on two PEs or more, even closer to the paper's number in a window. */
    HOUR_LONG("jobs of 1 h or longer on 2 PEs or more") {
        @Override
        public Predicate<SwfJob> filter(long seed) {
            return job -> job.runTime() >= 3600 && job.pes() >= 2;
        }
    },
    /** Jobs of the SDSC SP2's queues normal and low of half an hour or longer on two PEs or more: 11,274 in total. */
    NORMAL_AND_LOW("jobs of 30 min or longer on 2 PEs or more of the queues normal and low") {
        @Override
        public Predicate<SwfJob> filter(long seed) {
            return job -> job.runTime() >= 1800 && job.pes() >= 2 && (job.queue() == NORMAL || job.queue() == LOW);
        }
    },
    /** A random sample of the paper's size. */
    SAMPLE("a sample of 27.4 % of the jobs") {
        @Override
        public Predicate<SwfJob> filter(long seed) {
            UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
            return job -> random.nextDouble() < SAMPLE_SHARE;
        }
    };

    private static final int NORMAL = 3;
    private static final int LOW = 4;
    private static final double SAMPLE_SHARE = 0.274;

    private final String words;

    JobSelection(String words) {
        this.words = words;
    }

    /** Returns a description. */
    public String words() {
        return words;
    }

    /** Returns a filter for the jobs of a window, which must be tested in order because a sample draws for each. */
    public abstract Predicate<SwfJob> filter(long seed);
}
