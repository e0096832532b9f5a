package berth.slurm;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A node as Slurm sees it.
 *
 * @param state its state, as Slurm names it, such as {@code idle} or {@code down*}
 * @param said the state and its reason in words
 */
record SlurmNode(String name, String state, String said) {

    /**
     * The states of a node that is out of service. A star alone does not count: Slurm adds it to nodes that have not responded for a
     * moment, and to all nodes after a restart of the controller.
     */
    private static final Pattern OUT = Pattern.compile("(down|drained|fail|error|inval).*");

    boolean isOut() {
        return OUT.matcher(state.toLowerCase(Locale.ROOT)).matches();
    }

    /** Checks whether the node takes no more jobs and lets its present jobs run to their end. */
    boolean isDraining() {
        return state.toLowerCase(Locale.ROOT).startsWith("draining");
    }
}
