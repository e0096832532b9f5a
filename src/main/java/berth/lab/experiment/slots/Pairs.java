package berth.lab.experiment.slots;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/** Readings of the five pairs of artime and deadline factors, which the paper's text has lost; the third is the default. */
enum Pairs {
    /** Our reading: {1, 1} to {5, 5}. */
    EQUAL(both -> new Pair(both, both), 1, 2, 3, 4, 5),
    CLOSE(both -> new Pair(both, both), 2, 2.5, 3, 3.5, 4),
    SMALL(both -> new Pair(both, both), 0.2, 0.4, 0.6, 0.8, 1),
    FROM_NONE(both -> new Pair(both, both), 0, 1, 2, 3, 4),
    DOUBLING(both -> new Pair(both, both), 0.5, 1, 2, 4, 8),
    ARTIME(artime -> new Pair(artime, 3), 1, 2, 3, 4, 5),
    DEADLINE(deadline -> new Pair(3, deadline), 1, 2, 3, 4, 5),
    /** The fourth pair loosens only the deadline. */
    DEADLINE_AT_THE_FOURTH(new Pair(1, 1), new Pair(2, 2), new Pair(3, 3), new Pair(3, 4), new Pair(4, 4));

    private static final int DEFAULT = 2;

    private final List<Pair> five;

    Pairs(DoubleFunction<Pair> pair, double... factors) {
        this(DoubleStream.of(factors).mapToObj(pair).toArray(Pair[]::new));
    }

    Pairs(Pair... five) {
        this.five = List.of(five);
    }

    /** Returns the pairs from the least to the most flexible. */
    List<Pair> five() {
        return five;
    }

    /** Returns the pair of the other sweeps. */
    Pair middle() {
        return five.get(DEFAULT);
    }
}
