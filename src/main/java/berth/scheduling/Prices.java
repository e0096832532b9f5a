package berth.scheduling;

import berth.pricing.PricedRun;
import berth.pricing.Signal;
import berth.pricing.Tariff;
import berth.sla.Components;
import berth.sla.Customer;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Terms;
import berth.time.Slot;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The prices of runs for an account, with the other accounts' reservations in a schedule.
 *
 * @param customer the account that would pay
 */
public record Prices(ClusterSchedule schedule, Customer customer) {

    /** Returns the price of a run with these terms, parts and mobility. */
    public Money of(Terms terms, List<Part> parts, Mobility mobility) {
        return tariff().price(run(terms, parts, mobility));
    }

    /** Returns a run of the account with these terms, parts and mobility, as a tariff prices it. */
    public PricedRun run(Terms terms, List<Part> parts, Mobility mobility) {
        return new PricedRun(terms, parts, mobility, booked(parts), customer.serviceClass());
    }

    /**
     * Returns the share of the cluster's PE-seconds during these parts that {@linkplain BookedByOthers others have booked}, in [0, 1],
     * rounded up to the decimals of a tariff's figures; 0 if prices do not depend on it. O(points of the profile in that time).
     */
    public BigDecimal booked(List<Part> parts) {
        if (!tariff().dependsOnLoad()) {
            return BigDecimal.ZERO;
        }
        var others = schedule.bookedByOthers(customer.name());
        long all = 0;
        long booked = 0;
        for (var part : parts) {
            all += part.slot().duration() * schedule.cluster().pes();
            booked += others.during(part.slot());
        }
        return BigDecimal.valueOf(booked)
                .divide(BigDecimal.valueOf(all), Components.MAX_DECIMALS, RoundingMode.CEILING);
    }

    public boolean dependOnLoad() {
        return tariff().dependsOnLoad();
    }

    public Signal signal() {
        return tariff().signal();
    }

    /** Returns the factor of the load during these parts. */
    public BigDecimal loadFactor(List<Part> parts) {
        return tariff().loadFactor(booked(parts));
    }

    /** Returns the seconds of a slot at which the load may change, in no particular order, some more than once. */
    public LongStream changes(Slot slot) {
        return schedule.bookedByOthers(customer.name()).changes(slot);
    }

    private Tariff tariff() {
        return schedule.cluster().tariff();
    }
}
