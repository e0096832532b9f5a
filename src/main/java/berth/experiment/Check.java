package berth.experiment;

import java.util.Locale;

/**
 * One of the comparisons that a claim comes down to.
 *
 * @param what must hold
 * @param holds whether it does
 * @param figures it was decided by
 */
public record Check(String what, boolean holds, String figures) {

    /** A number as figures have it. */
    public static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
