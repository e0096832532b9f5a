package berth.availability;

import berth.time.Slot;
import berth.time.Window;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;

/**
 * The two workloads with which structures are compared, on {@value #PES} PEs: sizes 2^k for k = 0..8 with a probability that falls as
 * 0.7^k, and durations log-uniform from a minute to a day.
 */
public enum Load {
    /**
     * Reservations spread over a horizon of which they take 70 %: each is ready at any time in it, with up to four times its duration as
     * slack. The reservation that was booked first leaves.
     */
    SPREAD {
        @Override
        Demand next(Random random, int live, long now) {
            long horizon = (long) (live * MEAN_AREA / (OFFERED * PES));
            long ready = random.nextLong(horizon);
            long duration = duration(random);
            long slack = (long) (4 * random.nextDouble() * duration);
            return new Demand(new Window(ready, ready + duration + slack), duration, pes(random), ready);
        }

        @Override
        Queue<Booked> queue() {
            return new ArrayDeque<>();
        }
    },

    /**
     * A packed backlog: each reservation is ready now and has no deadline. The reservation that ends first leaves, and time advances to its
     * end.
     */
    BACKLOG {
        @Override
        Demand next(Random random, int live, long now) {
            return new Demand(new Window(now, FAR), duration(random), pes(random), now);
        }

        @Override
        Queue<Booked> queue() {
            return new PriorityQueue<>(
                    Comparator.comparingLong(booked -> booked.slot().end()));
        }
    };

    static final int PES = 1024;

    /** The load of the requested reservations. The widest often find no room, so 70 % of the PEs are taken. */
    private static final double OFFERED = 0.77;

    private static final long FAR = 1L << 60;
    private static final int SIZES = 9;
    private static final double RATIO = 0.7;
    private static final double SHORTEST = 60;
    private static final double LONGEST = 24 * 3600;
    private static final double MEAN_AREA = meanPes() * (LONGEST - SHORTEST) / Math.log(LONGEST / SHORTEST);

    /** Returns the next demand when {@code live} reservations are live. */
    abstract Demand next(Random random, int live, long now);

    /** Returns a queue of the live reservations in the order in which they leave. */
    abstract Queue<Booked> queue();

    /** PEs taken for a time; {@code named} holds their numbers if the structure distinguishes PEs. */
    record Booked(Slot slot, int pes, PeSet named) {}

    private static int pes(Random random) {
        double share = random.nextDouble() * (1 - Math.pow(RATIO, SIZES));
        return 1 << (int) (Math.log1p(-share) / Math.log(RATIO));
    }

    private static double meanPes() {
        double twice = 2 * RATIO;
        return (Math.pow(twice, SIZES) - 1) / (twice - 1) * (1 - RATIO) / (1 - Math.pow(RATIO, SIZES));
    }

    private static long duration(Random random) {
        return Math.round(SHORTEST * Math.pow(LONGEST / SHORTEST, random.nextDouble()));
    }
}
