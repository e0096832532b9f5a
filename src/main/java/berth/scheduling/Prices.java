package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.cluster.Cluster;
import berth.pricing.Tariff;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import berth.time.Slot;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * The prices of runs under the present load of a cluster.
 *
 * @param free the cluster's free PEs over time
 */
record Prices(Cluster cluster, CapacityProfile free) {

    /** Returns the price of a run with these terms, parts and mobility. The parts must not be taken yet. */
    Money of(Terms terms, List<Part> parts, Mobility mobility, ServiceClass serviceClass) {
        return cluster.tariff().price(terms, parts, mobility, booked(parts), serviceClass);
    }

    /**
     * Returns the share of the cluster's PE-seconds during these parts that is reserved or out of service, in [0, 1], rounded up to the
     * decimals of a tariff's figures; 0 if prices do not depend on it. O(points of the profile in that time).
     */
    BigDecimal booked(List<Part> parts) {
        if (!cluster.tariff().dependsOnLoad()) {
            return BigDecimal.ZERO;
        }
        long all = 0;
        long taken = 0;
        for (var part : parts) {
            all += part.slot().duration() * cluster.pes();
            taken += taken(part.slot());
        }
        return BigDecimal.valueOf(taken).divide(BigDecimal.valueOf(all), Tariff.MAX_DECIMALS, RoundingMode.CEILING);
    }

    /** Returns the PE-seconds that are not free. */
    private long taken(Slot slot) {
        var steps = free.steps(slot);
        long taken = 0;
        for (int i = 0; i < steps.size(); i++) {
            long end = i + 1 < steps.size() ? steps.get(i + 1).start() : slot.end();
            taken +=
                    (end - steps.get(i).start()) * (cluster.pes() - steps.get(i).free());
        }
        return taken;
    }
}
