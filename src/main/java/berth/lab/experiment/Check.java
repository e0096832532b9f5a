package berth.lab.experiment;

import java.util.Locale;

/**
 * A comparison on which a claim depends.
 *
 * @param what the condition
 * @param holds whether it holds
 * @param figures the figures that decided it
 */
public record Check(String what, boolean holds, String figures) {

    /** Formats a number for the figures of a check, with three decimals. */
    public static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
