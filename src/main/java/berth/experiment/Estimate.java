package berth.experiment;

import java.util.Locale;

/**
 * A mean with its 95 % confidence interval, mean ± half width.
 *
 * @param mean of the values
 * @param halfWidth by Student's t distribution; infinite for a single value
 */
public record Estimate(double mean, double halfWidth) {

    /** Whether the whole interval lies above {@code value}. */
    public boolean isAbove(double value) {
        return mean - halfWidth > value;
    }

    /** Whether the whole interval lies below {@code value}. */
    public boolean isBelow(double value) {
        return mean + halfWidth < value;
    }

    /** Of a table: its mean and its half width. */
    public static Columns<Estimate> columns(String mean, String halfWidth) {
        return new Columns<Estimate>().with(mean, Estimate::mean).with(halfWidth, Estimate::halfWidth);
    }

    /** As in {@code 71.32 ± 0.41}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.3f ± %.3f", mean, halfWidth);
    }
}
