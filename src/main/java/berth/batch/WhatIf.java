package berth.batch;

import berth.batch.Impact.Figures;
import java.util.Collection;

/**
 * Rates the availability of slots by comparing the plans with each slot taken (paper 001, section 4.2). A plan is compared with the best of
 * the considered plans, which include P^JOB, and not with the plan without any reservation.
 *
 * <p>Differs from the paper: plans are compared first by the number of jobs that end, and by their times only if they end as many jobs as
 * the best. In the paper all jobs end. Here PEs can be out of service without a known end, and a slot can push a job beyond the time from
 * which it no longer fits. Such a plan has less work, not less delay.
 *
 * @param mostJobs the most jobs that end in any considered plan
 * @param leastMakespan the least makespan among the plans that end {@code mostJobs} jobs: C*_max
 * @param leastCompletion the least average completion time among those: C*_avg
 * @param makespanWeight the weight of the makespan, in [0, 1]; the average completion time has the rest
 */
public record WhatIf(int mostJobs, long leastMakespan, double leastCompletion, double makespanWeight) {

    /** The lowest availability of a free slot: below every computed share, but not 0. */
    private static final double LEAST = Double.MIN_VALUE;

    /**
     * Returns the measure for a set of plans.
     *
     * @param plans all considered plans, at least one
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
     * Returns the availability of the slot that a plan has taken, in (0, 1], by equation 4. If fewer jobs end than in another plan, it is
     * just above 0, below that of all other slots.
     */
    public double availability(Figures plan) {
        if (plan.jobs() < mostJobs) {
            return LEAST;
        }
        return makespanWeight * share(leastMakespan, plan.makespan())
                + (1 - makespanWeight) * share(leastCompletion, plan.averageCompletion());
    }

    /** Returns 1 for the best value, also if no job ends and the value is 0. */
    private static double share(double least, double value) {
        return least == value ? 1 : least / value;
    }
}
