package berth.slurm;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A node as Slurm sees it.
 *
 * @param state in Slurm's words, such as {@code idle} or {@code down*}
 * @param reason why it is in that state
 */
record SlurmNode(String name, String state, String reason) {

    /** Does not answer, is not to take jobs, or is switched off. */
    private static final Pattern OUT = Pattern.compile(
            "(down|drain|fail|error|unknown|future|power(ed|ing)_(down|off)|reboot|no_respond|not_responding).*|.*[*~!%]");

    boolean isOut() {
        return OUT.matcher(state.toLowerCase(Locale.ROOT)).matches();
    }
}
