package berth.batch;

import java.util.Optional;

/**
 * What a reservation does to the batch queue: how its jobs get on without it, and with it.
 *
 * @param before by the plan ORG of paper 001, section 4.2
 * @param after by the plan RSV with that slot taken
 */
public record Impact(Figures before, Figures after) {

    /**
     * How the jobs of a plan get on. Those that come to no end, as far as is known, are left out of both times.
     *
     * @param jobs how many come to an end, those that run already included
     * @param makespan seconds from now until the last of these ends (paper 001, equation 2); 0 if there are none
     * @param averageCompletion seconds from its submission to its end, on average (equation 3); 0 if there are none
     */
    public record Figures(int jobs, long makespan, double averageCompletion) {}

    /**
     * What these figures say; empty where they are not of as many jobs, so that their times cannot be compared, or of none at all.
     */
    public static Optional<Impact> of(Figures before, Figures after) {
        return before.jobs() > 0 && before.jobs() == after.jobs()
                ? Optional.of(new Impact(before, after))
                : Optional.empty();
    }
}
