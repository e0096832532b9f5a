package berth.lab.workload;

import java.util.Optional;

/** The reason why a job of the log becomes no request. */
public enum SkipReason implements RecipeResult {
    /** It ran for less than a minute, or not at all. */
    SHORT,
    /** Its PEs are unknown. */
    NO_PES,
    /** It needs more PEs than the machine has. */
    TOO_LARGE;

    private static final long SHORTEST_RUN = 60;

    /** Returns the reason why papers 000 and 003 would skip a job on a machine of {@code pes} PEs; empty if they would not. */
    public static Optional<SkipReason> reason(SwfJob job, int pes) {
        if (job.runTime() < SHORTEST_RUN) {
            return Optional.of(SHORT);
        }
        if (job.pes() <= 0) {
            return Optional.of(NO_PES);
        }
        return job.pes() > pes ? Optional.of(TOO_LARGE) : Optional.empty();
    }
}
