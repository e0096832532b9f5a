package berth.experiment;

import java.util.Locale;

/**
 * A comparison on which a claim depends.
 *
 * @param what the condition
 * @param holds whether it holds
 * @param figures the figures that decided it
 */
public record Check(String what, boolean holds, String figures) {

    /** Returns a number in the format of figures. */
    public static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
