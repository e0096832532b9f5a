package berth.pricing;

import berth.sla.Money;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import java.math.BigDecimal;
import java.util.Currency;

/**
 * What a cluster's PEs cost, by Berth's own price function: PEs x hours x price per PE-hour, times the class factor,
 * times a discount for flexibility and one for a late start. Paper 000 (section 2.1) asks that flexible clients pay
 * less; paper 003 (section 3.2) that a late start does.
 *
 * <p>For one placement more flexibility never costs more; for one set of terms a later start never costs more.
 *
 * @param currency of all its prices, one with a minor unit
 * @param pricePerPeHour not negative
 * @param premiumFactor what {@link ServiceClass#PREMIUM} pays of the standard price, at least 1
 * @param flexibilityDiscount the share taken off as flexibility grows without end, in [0, 1]
 * @param latenessDiscount the share taken off a start {@code latenessScale} durations after the ready time, in [0, 1]
 * @param latenessScale durations of waiting that earn the whole lateness discount, more than 0
 */
public record Tariff(
        Currency currency,
        BigDecimal pricePerPeHour,
        BigDecimal premiumFactor,
        BigDecimal flexibilityDiscount,
        BigDecimal latenessDiscount,
        BigDecimal latenessScale) {

    private static final int MAX_DECIMALS = 6;
    private static final BigDecimal SECONDS_PER_HOUR = BigDecimal.valueOf(3600);

    /** What clusters charge unless told otherwise: one dollar per PE-hour, up to a fifth off for each discount. */
    public static final Tariff STANDARD = new Tariff(
            Currency.getInstance("USD"),
            new BigDecimal("1.00"),
            new BigDecimal("3"),
            new BigDecimal("0.2"),
            new BigDecimal("0.2"),
            new BigDecimal("5"));

    /**
     * Drops zeros at the end, so that tariffs of the same figures are equal.
     *
     * @throws IllegalArgumentException naming the figure that is out of range or has more than six decimals, or the currency
     */
    public Tariff {
        if (currency.getDefaultFractionDigits() < 0) {
            throw new IllegalArgumentException("The currency %s has no minor unit.".formatted(currency));
        }
        pricePerPeHour = figure("pricePerPeHour", pricePerPeHour, BigDecimal.ZERO, new BigDecimal("1000000"));
        premiumFactor = figure("premiumFactor", premiumFactor, BigDecimal.ONE, new BigDecimal("1000"));
        flexibilityDiscount = figure("flexibilityDiscount", flexibilityDiscount, BigDecimal.ZERO, BigDecimal.ONE);
        latenessDiscount = figure("latenessDiscount", latenessDiscount, BigDecimal.ZERO, BigDecimal.ONE);
        latenessScale = figure("latenessScale", latenessScale, new BigDecimal("0.01"), new BigDecimal("1000"));
    }

    private static BigDecimal figure(String name, BigDecimal value, BigDecimal least, BigDecimal most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "The %s (%s) must lie between %s and %s.".formatted(name, value, least, most));
        }
        var stripped = value.stripTrailingZeros();
        if (stripped.scale() > MAX_DECIMALS) {
            throw new IllegalArgumentException(
                    "The %s (%s) has more than %d decimals.".formatted(name, value, MAX_DECIMALS));
        }
        return stripped.setScale(Math.max(0, stripped.scale()));
    }

    /**
     * The price of a run that keeps {@code terms} and starts at {@code start}, rounded half up to the minor unit, once.
     *
     * @param start seconds since the epoch, in {@code [ready time, latest start]}
     */
    public Money price(Terms terms, long start, ServiceClass serviceClass) {
        var window = terms.window();
        var duration = BigDecimal.valueOf(terms.duration());
        var length = BigDecimal.valueOf(window.length());
        var fullWait = latenessScale.multiply(duration);
        var waited = BigDecimal.valueOf(start - window.readyTime()).min(fullWait);
        // one fraction, divided at the end: hours and discounts that are rounded on the way can cost or save a cent
        var dividend = BigDecimal.valueOf(terms.pes())
                .multiply(duration)
                .multiply(pricePerPeHour)
                .multiply(serviceClass == ServiceClass.PREMIUM ? premiumFactor : BigDecimal.ONE)
                .multiply(less(length, flexibilityDiscount, BigDecimal.valueOf(terms.flexibility())))
                .multiply(less(fullWait, latenessDiscount, waited));
        var divisor = SECONDS_PER_HOUR.multiply(length).multiply(fullWait);
        return Money.rounded(dividend, divisor, currency);
    }

    private static BigDecimal less(BigDecimal whole, BigDecimal discount, BigDecimal part) {
        return whole.subtract(discount.multiply(part));
    }
}
