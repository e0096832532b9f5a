package berth.batch;

/**
 * What a reservation does to the batch queue: how its jobs get on without it, and with it.
 *
 * @param before by the plan ORG of paper 001, section 4.2
 * @param after by the plan RSV with that slot taken
 */
public record Impact(Figures before, Figures after) {

    /**
     * How the jobs of a plan get on.
     *
     * @param makespan seconds from now until the last of them ends (paper 001, equation 2); 0 without jobs
     * @param averageCompletion seconds from its submission to its end, on average (equation 3); 0 without jobs
     */
    public record Figures(long makespan, double averageCompletion) {}
}
