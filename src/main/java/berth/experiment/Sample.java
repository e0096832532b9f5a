package berth.experiment;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * One figure of the repetitions of a run, in their order. Repetitions of equal number had the same seed, so two samples
 * are compared repetition by repetition.
 *
 * @param values one for each repetition, at least one
 */
public record Sample(List<Double> values) {
    private static final double RISK = 0.025;

    /** @throws IllegalArgumentException if there are none */
    public Sample {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("A sample needs at least one value.");
        }
        values = List.copyOf(values);
    }

    /** A value for each of some repetitions, or windows of a log, that are counted from 1. */
    public static Sample of(int repetitions, IntToDoubleFunction value) {
        return new Sample(IntStream.rangeClosed(1, repetitions)
                .mapToObj(value::applyAsDouble)
                .toList());
    }

    /**
     * The means of some samples, repetition by repetition.
     *
     * @param samples of as many values each, at least one
     */
    public static Sample meanOf(List<Sample> samples) {
        return new Sample(IntStream.range(0, samples.getFirst().size())
                .mapToObj(repetition -> samples.stream()
                        .mapToDouble(sample -> sample.values.get(repetition))
                        .average()
                        .orElseThrow())
                .toList());
    }

    public int size() {
        return values.size();
    }

    public double mean() {
        return values.stream().mapToDouble(Double::doubleValue).sum() / size();
    }

    /** The mean and its 95 % confidence interval. */
    public Estimate estimate() {
        return estimateAmong(1);
    }

    /**
     * The mean and an interval so wide that with 95 % those of so many samples all hold at once (Bonferroni): for a sample
     * that was chosen among them.
     *
     * @param samples at least 1
     */
    public Estimate estimateAmong(int samples) {
        double mean = mean();
        if (size() == 1) {
            return new Estimate(mean, Double.POSITIVE_INFINITY);
        }
        double squares = values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .sum();
        double standardError = Math.sqrt(squares / (size() - 1) / size());
        return new Estimate(
                mean, TDistribution.of(size() - 1).inverseCumulativeProbability(1 - RISK / samples) * standardError);
    }

    /**
     * The differences from another sample, repetition by repetition.
     *
     * @throws IllegalArgumentException if it has more or fewer values
     */
    public Sample minus(Sample other) {
        if (size() != other.size()) {
            throw new IllegalArgumentException(
                    "Samples of %d and %d repetitions cannot be paired.".formatted(size(), other.size()));
        }
        return new Sample(IntStream.range(0, size())
                .mapToObj(i -> values.get(i) - other.values.get(i))
                .toList());
    }

    /** Whether this is more than {@code other}, beyond what chance explains: the interval of the differences is above 0. */
    public boolean isAbove(Sample other) {
        return minus(other).estimate().isAbove(0);
    }
}
