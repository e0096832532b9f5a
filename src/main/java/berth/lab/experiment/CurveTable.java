package berth.lab.experiment;

import java.io.PrintWriter;
import java.util.Locale;

/** Curves printed as a table: a row for each line and a column for each point, with the mean and the half width of the 95 % interval. */
final class CurveTable {
    private static final int LEAST_WIDTH = 10;

    private CurveTable() {}

    /**
     * Prints a table.
     *
     * @param title the heading
     * @param axis the name of the points' axis
     */
    public static <K> void print(String title, String axis, Curves<K> curves, PrintWriter out) {
        int width =
                curves.keys().stream().mapToInt(key -> key.toString().length()).reduce(LEAST_WIDTH, Math::max);
        out.printf("%n%s%n%s", title, " ".repeat(width));
        curves.points().forEach(point -> out.printf(" %16s", point));
        out.printf("  %s%n", axis);
        for (K key : curves.keys()) {
            out.printf("%-" + width + "s", key);
            curves.line(key).forEach(sample -> out.printf(" %16s", cell(sample)));
            out.println();
        }
    }

    /** Returns the mean of a sample as text, with the half width of its interval if that is finite. */
    static String cell(Sample sample) {
        Estimate estimate = sample.estimate();
        return Double.isFinite(estimate.halfWidth())
                ? String.format(Locale.ROOT, "%.3f ± %.3f", estimate.mean(), estimate.halfWidth())
                : String.format(Locale.ROOT, "%.3f", estimate.mean());
    }
}
