package berth.pricing;

import berth.sla.Money;
import berth.sla.Part;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.List;

/** Prices of runs in one piece, in the largest shape, on a cluster that nobody else has booked. */
public final class RigidPrices {

    private RigidPrices() {}

    public static Money price(Tariff tariff, Terms terms, long start, ServiceClass serviceClass) {
        return tariff.price(terms, at(terms, start), BigDecimal.ZERO, serviceClass);
    }

    public static Money moved(Tariff tariff, Money agreed, Terms terms, long start, ServiceClass serviceClass) {
        return tariff.moved(agreed, terms, at(terms, start), BigDecimal.ZERO, serviceClass);
    }

    public static Money renegotiated(
            Tariff tariff, Money agreed, Terms before, Terms after, long start, ServiceClass serviceClass) {
        var had = at(before, before.window().readyTime());
        return tariff.renegotiated(agreed, before, had, after, at(after, start), BigDecimal.ZERO, serviceClass);
    }

    private static List<Part> at(Terms terms, long start) {
        return List.of(Part.whole(Slot.of(start, terms.runTime()), terms.pes()));
    }
}
