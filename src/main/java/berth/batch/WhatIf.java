package berth.batch;

import berth.batch.Impact.Figures;
import java.util.Collection;

/**
 * How available slots are, told by the plans with each of them taken: paper 001, section 4.2. What matters is how a plan compares
 * to the best of those that are considered, P^JOB among them, not how much later jobs end than without any reservation.
 *
 * <p>Ours: plans are compared by how many jobs come to an end first, and by their times only if that is as many as in any of them.
 * In the paper all jobs end. Here PEs may be out of service without a known end, and a slot may push a job past the moment from
 * which on it no longer fits: such a plan has less to do, not less delay.
 *
 * @param mostJobs that come to an end in one of the considered plans
 * @param leastMakespan of those of the plans in which as many do: C*_max
 * @param leastCompletion of these, on average: C*_avg
 * @param makespanWeight in [0, 1]; the rest is that of the average completion time
 */
public record WhatIf(int mostJobs, long leastMakespan, double leastCompletion, double makespanWeight) {

    /** Less than any share of the best, but not 0, since the slot is free. */
    private static final double LEAST = Double.MIN_VALUE;

    /**
     * The measure that these plans make.
     *
     * @param plans all that are considered, at least one
     */
    public static WhatIf among(Collection<Figures> plans, double makespanWeight) {
        int most = plans.stream().mapToInt(Figures::jobs).max().orElseThrow();
        var best = plans.stream().filter(plan -> plan.jobs() == most).toList();
        return new WhatIf(
                most,
                best.stream().mapToLong(Figures::makespan).min().orElseThrow(),
                best.stream().mapToDouble(Figures::averageCompletion).min().orElseThrow(),
                makespanWeight);
    }

    /**
     * The availability of the slot that one of these plans has taken, in (0, 1]: equation 4. Just above 0, and below that of all
     * other slots, where fewer jobs come to an end than in another of the plans.
     */
    public double availability(Figures plan) {
        if (plan.jobs() < mostJobs) {
            return LEAST;
        }
        return makespanWeight * share(leastMakespan, plan.makespan())
                + (1 - makespanWeight) * share(leastCompletion, plan.averageCompletion());
    }

    /** The best is 1, also where no job ends and it takes no time at all. */
    private static double share(double least, double value) {
        return least == value ? 1 : least / value;
    }
}
