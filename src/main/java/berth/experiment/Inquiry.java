package berth.experiment;

/**
 * What was looked into where a claim does not come out as the paper has it.
 *
 * @param cause where we see the reason
 * @param tried what was tried on which jobs, and what came of it
 */
public record Inquiry(Cause cause, String tried) {

    /** Where the reason for a difference lies. */
    public enum Cause {
        /** The paper leaves something open on which the claim hangs. */
        READING,
        /** The paper contradicts itself, or what it says cannot come of what it describes. */
        PAPER,
        /** There are too few data to tell it from chance. */
        CHANCE,
        /** It is not known. */
        OPEN
    }
}
