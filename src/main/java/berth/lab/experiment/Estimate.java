package berth.lab.experiment;

import java.util.Locale;

/**
 * A mean with its 95 % confidence interval, mean ± half width.
 *
 * @param mean the mean
 * @param halfWidth the half width by Student's t distribution; infinite for a single value
 */
public record Estimate(double mean, double halfWidth) {

    /** Whether the whole interval is above {@code value}. */
    public boolean isAbove(double value) {
        return mean - halfWidth > value;
    }

    /** Whether the whole interval is below {@code value}. */
    public boolean isBelow(double value) {
        return mean + halfWidth < value;
    }

    /** Returns table columns for the mean and the half width. */
    public static Columns<Estimate> columns(String mean, String halfWidth) {
        return new Columns<Estimate>().with(mean, Estimate::mean).with(halfWidth, Estimate::halfWidth);
    }

    /** Returns a text as in {@code 71.32 ± 0.41}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.3f ± %.3f", mean, halfWidth);
    }
}
