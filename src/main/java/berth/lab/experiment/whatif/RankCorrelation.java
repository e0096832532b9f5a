package berth.lab.experiment.whatif;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** C. Spearman's rank correlation ("The proof and measurement of association between two things", 1904). */
final class RankCorrelation {
    private RankCorrelation() {}

    /**
     * Returns the correlation of the ranks of two series of values, in [-1, 1]; equal values share the mean of their ranks. Empty if all
     * values of a series are equal. O(n²).
     *
     * @throws IllegalArgumentException if the series differ in length
     */
    static OptionalDouble of(List<Double> one, List<Double> other) {
        if (one.size() != other.size()) {
            throw new IllegalArgumentException(
                    "Rows with %d and %d values cannot be paired.".formatted(one.size(), other.size()));
        }
        double[] x = centred(one);
        double[] y = centred(other);
        double spread = Math.sqrt(product(x, x) * product(y, y));
        return spread == 0 ? OptionalDouble.empty() : OptionalDouble.of(product(x, y) / spread);
    }

    /** Returns the ranks minus their mean: half of the difference between the numbers of lower and of higher values. */
    private static double[] centred(List<Double> values) {
        return values.stream()
                .mapToDouble(value -> values.stream()
                                .mapToInt(another -> Double.compare(value, another))
                                .map(Integer::signum)
                                .sum()
                        / 2.0)
                .toArray();
    }

    private static double product(double[] x, double[] y) {
        return IntStream.range(0, x.length).mapToDouble(i -> x[i] * y[i]).sum();
    }
}
