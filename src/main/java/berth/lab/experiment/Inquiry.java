package berth.lab.experiment;

import java.util.Optional;

/**
 * The examination of a claim that is not reproduced.
 *
 * @param cause the suspected cause
 * @param tried what was tried on which jobs, and the result
 * @param log the log of those jobs; empty for jobs that the study draws
 */
public record Inquiry(Cause cause, String tried, Optional<PaperLog> log) {

    /** Creates an inquiry on jobs that the study draws. */
    public Inquiry(Cause cause, String tried) {
        this(cause, tried, Optional.empty());
    }

    /** Creates an inquiry on the jobs of a log. */
    public Inquiry(Cause cause, PaperLog log, String tried) {
        this(cause, tried, Optional.of(log));
    }

    /** Whether it applies to this study; results on other jobs may differ for other reasons. */
    boolean isOf(Study<?, ?> study) {
        return log.equals(study.paperLog());
    }

    /** The cause of a difference. */
    public enum Cause {
        /** The paper leaves something open on which the claim depends. */
        READING,
        /** The paper contradicts itself, or its claim cannot follow from what it describes. */
        PAPER,
        /** There are too few data to distinguish it from chance. */
        CHANCE,
        /** The cause is unknown. */
        OPEN
    }
}
