package berth.experiment;

import berth.workload.SwfJob;
import java.util.function.Predicate;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Which of the jobs that ran for a minute or longer become requests. Paper 003 says that all do, but has 244 ± 68 of them in a
 * window and 11,244 in all, where the log has 850 ± 350 and 41,036.
 */
public enum JobSelection {
    ALL("all jobs") {
        @Override
        public Predicate<SwfJob> filter(long seed) {
            return job -> true;
        }
    },
    /** Those of half an hour or longer on 8 PEs or more: about as many as the paper has. */
    LARGE("jobs of 30 min or longer on 8 PEs or more") {
        @Override
        public Predicate<SwfJob> filter(long seed) {
            return job -> job.runTime() >= 1800 && job.pes() >= 8;
        }
    },
    /** Those of an hour or longer on two PEs or more: nearer still in a window. */
    HOUR_LONG("jobs of 1 h or longer on 2 PEs or more") {
        @Override
        public Predicate<SwfJob> filter(long seed) {
            return job -> job.runTime() >= 3600 && job.pes() >= 2;
        }
    },
    /** Those of the queues normal and low of the SDSC SP2, of half an hour or longer on two PEs or more: 11,274 in all. */
    NORMAL_AND_LOW("jobs of 30 min or longer on 2 PEs or more of the queues normal and low") {
        @Override
        public Predicate<SwfJob> filter(long seed) {
            return job -> job.runTime() >= 1800 && job.pes() >= 2 && (job.queue() == NORMAL || job.queue() == LOW);
        }
    },
    /** As many as the paper has, by chance. */
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

    /** For people. */
    public String words() {
        return words;
    }

    /** Says of the jobs of a window, one after the other, whether they are taken. */
    public abstract Predicate<SwfJob> filter(long seed);
}
