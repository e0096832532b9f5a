package berth.pricing;

import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.List;

/**
 * Prices of runs in one part and in the largest shape, on a cluster without other bookings. Runs can move until they start, unless stated
 * otherwise.
 */
public final class RigidPrices {

    private RigidPrices() {}

    public static Money price(Tariff tariff, Terms terms, long start, ServiceClass serviceClass) {
        return price(tariff, terms, start, Mobility.ALL, serviceClass);
    }

    public static Money price(Tariff tariff, Terms terms, long start, Mobility mobility, ServiceClass serviceClass) {
        return tariff.price(run(terms, start, mobility, serviceClass));
    }

    public static Money moved(Tariff tariff, Money agreed, Terms terms, long start, ServiceClass serviceClass) {
        return moved(tariff, agreed, terms, start, Mobility.ALL, serviceClass);
    }

    public static Money moved(
            Tariff tariff, Money agreed, Terms terms, long start, Mobility mobility, ServiceClass serviceClass) {
        return tariff.moved(agreed, run(terms, start, mobility, serviceClass));
    }

    public static Money renegotiated(
            Tariff tariff, Money agreed, Terms before, Terms after, long start, ServiceClass serviceClass) {
        return renegotiated(
                tariff, agreed, before, before.window().readyTime(), after, start, Mobility.ALL, serviceClass);
    }

    public static Money renegotiated(
            Tariff tariff,
            Money agreed,
            Terms before,
            long from,
            Terms after,
            long start,
            Mobility mobility,
            ServiceClass serviceClass) {
        return tariff.renegotiated(agreed, before, at(before, from), run(after, start, mobility, serviceClass));
    }

    /** Returns the price of looser terms, or of a change that the provider wants. */
    public static Money looser(
            Tariff tariff,
            Money agreed,
            Terms before,
            long from,
            Terms after,
            long start,
            Mobility mobility,
            ServiceClass serviceClass) {
        return tariff.looser(agreed, at(before, from), run(after, start, mobility, serviceClass));
    }

    /** Returns the price of a run from {@code start} on that is prolonged. */
    public static Money prolonged(
            Tariff tariff, Money agreed, Terms before, Terms after, long start, ServiceClass serviceClass) {
        long added = Math.max(0, after.runTime() - before.runTime()) * after.pes();
        return tariff.prolonged(agreed, run(after, start, Mobility.ALL, serviceClass), added);
    }

    public static Money fixed(Tariff tariff, Money agreed, Terms terms, long start, ServiceClass serviceClass) {
        return tariff.fixed(agreed, run(terms, start, Mobility.ALL, serviceClass));
    }

    private static PricedRun run(Terms terms, long start, Mobility mobility, ServiceClass serviceClass) {
        return new PricedRun(terms, at(terms, start), mobility, BigDecimal.ZERO, serviceClass);
    }

    private static List<Part> at(Terms terms, long start) {
        return List.of(Part.whole(Slot.of(start, terms.runTime()), terms.pes()));
    }
}
