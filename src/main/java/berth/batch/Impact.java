package berth.batch;

import java.util.Optional;

/**
 * The effect of a reservation on the batch queue: figures of the jobs without and with it.
 *
 * @param before the figures of the plan ORG of paper 001, section 4.2
 * @param after the figures of the plan RSV, with the slot taken
 */
public record Impact(Figures before, Figures after) {

    /**
     * The figures of a plan. Jobs without a foreseeable end are left out of both times.
     *
     * @param jobs the number of jobs that end, including running ones
     * @param makespan the time from now until the last of these jobs ends, in seconds (paper 001, equation 2); 0 if there are none
     * @param averageCompletion the average time from submission to end, in seconds (equation 3); 0 if there are none
     */
    public record Figures(int jobs, long makespan, double averageCompletion) {}

    /** Returns the impact; empty if the plans end a different number of jobs, so that their times cannot be compared, or none at all. */
    public static Optional<Impact> of(Figures before, Figures after) {
        return before.jobs() > 0 && before.jobs() == after.jobs()
                ? Optional.of(new Impact(before, after))
                : Optional.empty();
    }
}
