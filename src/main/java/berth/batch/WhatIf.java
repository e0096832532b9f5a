package berth.batch;

import berth.batch.Impact.Figures;
import java.util.Collection;

/**
 * How available slots are, told by the plans with each of them taken: paper 001, section 4.2. What matters is how a plan compares
 * to the best of those that are considered, P^JOB among them, not how much later jobs end than without any reservation.
 *
 * @param leastMakespan of all considered plans: C*_max
 * @param leastCompletion of all considered plans, on average: C*_avg
 * @param makespanWeight in [0, 1]; the rest is that of the average completion time
 */
public record WhatIf(long leastMakespan, double leastCompletion, double makespanWeight) {

    /**
     * The measure that these plans make.
     *
     * @param plans all that are considered, at least one
     */
    public static WhatIf among(Collection<Figures> plans, double makespanWeight) {
        return new WhatIf(
                plans.stream().mapToLong(Figures::makespan).min().orElseThrow(),
                plans.stream().mapToDouble(Figures::averageCompletion).min().orElseThrow(),
                makespanWeight);
    }

    /** The availability of the slot that one of these plans has taken, in (0, 1]: equation 4. */
    public double availability(Figures plan) {
        return makespanWeight * share(leastMakespan, plan.makespan())
                + (1 - makespanWeight) * share(leastCompletion, plan.averageCompletion());
    }

    /** The best is 1, also where it takes no time at all. */
    private static double share(double least, double value) {
        return least == value ? 1 : least / value;
    }
}
