package berth.pricing;

import berth.sla.Mobility;
import berth.sla.Part;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import java.math.BigDecimal;
import java.util.List;

/**
 * A run with all that its price depends on, besides the tariff.
 *
 * @param parts the parts in order, at least one
 * @param mobility how far the run can move from now on, before it starts
 * @param booked the share of the cluster's PE-seconds that others have booked during the parts, in [0, 1]; ignored unless prices depend on
 *     the load
 * @param serviceClass the class of the account that pays
 */
public record PricedRun(
        Terms terms, List<Part> parts, Mobility mobility, BigDecimal booked, ServiceClass serviceClass) {

    /** Returns the PE-seconds of its parts. */
    long work() {
        return Tariff.work(parts);
    }

    /** Returns the same run with another mobility. */
    PricedRun moving(Mobility other) {
        return new PricedRun(terms, parts, other, booked, serviceClass);
    }
}
