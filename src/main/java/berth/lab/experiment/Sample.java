package berth.lab.experiment;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A figure for the repetitions of a run, in order. Repetitions with equal numbers had the same seed, so samples are compared repetition by
 * repetition.
 *
 * @param values the values, one for each repetition, at least one
 */
public record Sample(List<Double> values) {
    private static final double RISK = 0.025;

    /** @throws IllegalArgumentException if there are no values */
    public Sample {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("A sample needs at least one value.");
        }
        values = List.copyOf(values);
    }

    /** Returns a sample with a value for each repetition or window, counted from 1. */
    public static Sample of(int repetitions, IntToDoubleFunction value) {
        return new Sample(IntStream.rangeClosed(1, repetitions)
                .mapToObj(value::applyAsDouble)
                .toList());
    }

    /**
     * Returns the means of several samples, repetition by repetition.
     *
     * @param samples at least one sample, all of equal size
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

    /** Returns the mean with its 95 % confidence interval. */
    public Estimate estimate() {
        return estimateAmong(1);
    }

    /**
     * Returns the mean with an interval that is wide enough for the intervals of that many samples to hold together with 95 % confidence
     * (Bonferroni), for a sample that was chosen among them.
     *
     * @param samples the number of samples, at least 1
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
     * Returns the differences from another sample, repetition by repetition.
     *
     * @throws IllegalArgumentException if the samples differ in size
     */
    public Sample minus(Sample other) {
        if (size() != other.size()) {
            throw new IllegalArgumentException(
                    "Samples with %d and %d repetitions cannot be paired.".formatted(size(), other.size()));
        }
        return new Sample(IntStream.range(0, size())
                .mapToObj(i -> values.get(i) - other.values.get(i))
                .toList());
    }

    /** Returns whether this is significantly greater than {@code other}: the 95 % interval of the differences is above 0. */
    public boolean isAbove(Sample other) {
        return minus(other).estimate().isAbove(0);
    }
}
