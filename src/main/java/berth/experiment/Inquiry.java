package berth.experiment;

import java.util.Optional;

/**
 * What was looked into where a claim does not come out as the paper has it.
 *
 * @param cause where we see the reason
 * @param tried what was tried on which jobs, and what came of it
 * @param log whose jobs it speaks of; none: jobs that the study draws
 */
public record Inquiry(Cause cause, String tried, Optional<PaperLog> log) {

    /** Of jobs that the study draws. */
    public Inquiry(Cause cause, String tried) {
        this(cause, tried, Optional.empty());
    }

    /** Of the jobs of a log. */
    public Inquiry(Cause cause, PaperLog log, String tried) {
        this(cause, tried, Optional.of(log));
    }

    /** Whether it says something of this study: one with other jobs may come out otherwise, and for other reasons. */
    boolean isOf(Study<?, ?> study) {
        return log.equals(study.paperLog());
    }

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
