package berth.approval;

import static berth.sla.Components.checked;

import berth.sla.InvalidFigure;
import berth.sla.LeavesOutEmpty;
import berth.sla.Money;
import berth.sla.ServiceClass;
import berth.sla.Settable;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A rule that asks for approval of a reservation for which all its conditions hold. It has at least one condition.
 *
 * @param pesAbove holds for more PEs at one time
 * @param peHoursAbove holds for more PE-hours in all
 * @param priceAbove holds for a higher price, in the currency of the cluster
 * @param durationAbove holds for a longer run, in the cluster's time
 * @param leadBelow holds for a start sooner after the request
 * @param serviceClass holds for accounts of that class
 */
@LeavesOutEmpty
public record ApprovalRule(
        @Settable(min = "0", max = "1000000000", example = "64")
        OptionalInt pesAbove,

        @Settable(min = "0", max = "1000000000", example = "500")
        OptionalInt peHoursAbove,

        @Settable(min = "0", max = "1000000000000", isMoney = true, example = "100.00")
        Optional<BigDecimal> priceAbove,

        @Settable(min = "0", max = ApprovalRules.MAX_TIME, example = "P1D")
        OptionalLong durationAbove,

        @Settable(min = "1", max = ApprovalRules.MAX_TIME, example = "PT1H")
        OptionalLong leadBelow,

        @Settable Optional<ServiceClass> serviceClass) {

    /**
     * What a rule looks at.
     *
     * @param pes the most PEs at one time
     * @param peSeconds the PE-seconds in all
     * @param duration the seconds with PEs
     * @param lead the seconds until the start
     */
    public record Run(int pes, long peSeconds, Money price, long duration, long lead, ServiceClass serviceClass) {}

    /** @throws InvalidFigure if a figure is out of range, or if there is no condition */
    public ApprovalRule {
        checked(ApprovalRule.class, "pesAbove", pesAbove);
        checked(ApprovalRule.class, "peHoursAbove", peHoursAbove);
        checked(ApprovalRule.class, "priceAbove", priceAbove);
        checked(ApprovalRule.class, "durationAbove", durationAbove);
        checked(ApprovalRule.class, "leadBelow", leadBelow);
        boolean asksNothing = pesAbove.isEmpty()
                && peHoursAbove.isEmpty()
                && priceAbove.isEmpty()
                && durationAbove.isEmpty()
                && leadBelow.isEmpty()
                && serviceClass.isEmpty();
        if (asksNothing) {
            throw new InvalidFigure(
                    "pesAbove",
                    "",
                    "is missing, and so is every other condition; a rule needs at least one, and pesAbove 0 holds for every run");
        }
    }

    /** Whether all conditions hold for a run. */
    public boolean matches(Run run) {
        return (pesAbove.isEmpty() || run.pes > pesAbove.getAsInt())
                && (peHoursAbove.isEmpty() || run.peSeconds > peHoursAbove.getAsInt() * 3600L)
                && priceAbove.stream().allMatch(most -> run.price.amount().compareTo(most) > 0)
                && (durationAbove.isEmpty() || run.duration > durationAbove.getAsLong())
                && (leadBelow.isEmpty() || run.lead < leadBelow.getAsLong())
                && serviceClass.stream().allMatch(run.serviceClass::equals);
    }
}
