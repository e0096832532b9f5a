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

    /** One that has not answered for a moment, which Slurm marks with a star, is not out: so are all when the controller has come back. */
    private static final Pattern OUT = Pattern.compile("(down|drained|fail|error|inval).*");

    boolean isOut() {
        return OUT.matcher(state.toLowerCase(Locale.ROOT)).matches();
    }

    /** Whether it takes no more jobs, and lets those that run there end. */
    boolean isDraining() {
        return state.toLowerCase(Locale.ROOT).startsWith("draining");
    }
}
