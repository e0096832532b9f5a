package berth.pricing;

import berth.sla.InvalidFigure;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;

/**
 * What a cluster's PEs cost, by Berth's own price function: PEs x hours x price per PE-hour, times the class factor,
 * times a discount for flexibility, one for a late start, one for the number of shapes, and one for a run that may be split. Paper
 * 000 (section 2.1) asks that flexible clients pay less; paper 003 (section 3.2) that a late start does, that more shapes earn more,
 * that those who may be split get an incentive, and that prices may depend on the load, which multiplies all.
 *
 * <p>Ours: what the provider cannot use earns nothing. Each discount counts in proportion to the {@linkplain Mobility share of
 * the wait} in which the run may still be moved; only who is split indeed gets the whole incentive. So whoever pins a place, in
 * whichever way, pays what it would pay asking for nothing else.
 *
 * <p>For one placement more slack, another shape or part never costs more; for one set of terms and one shape a later start
 * never costs more, unless prices depend on the load.
 *
 * @param function how the price is made
 * @param currency of all its prices, one with a minor unit
 * @param pricePerPeHour not negative
 * @param premiumFactor what {@link ServiceClass#PREMIUM} pays of the standard price, at least 1
 * @param flexibilityDiscount the share taken off as flexibility grows without end, in [0, 1]
 * @param latenessDiscount the share taken off a start {@code latenessScale} durations after the ready time, in [0, 1]
 * @param latenessScale run times of waiting that earn the whole lateness discount, more than 0
 * @param preemptionIncentive the share taken off for a run that may be split, in [0, 1]
 * @param shapeDiscount the share taken off as the number of shapes grows without end, in [0, 1]
 * @param renegotiationSurcharge the share added to the price of terms that were made tighter, not negative
 * @param breachCredit the share of the agreed price that is credited for a breach, not negative
 * @param loadProfile what a run costs more where more of the cluster is booked, by rising shares
 * @param cancellation what is owed for what is given up late; rows of the journal from before that could be said say nothing
 */
public record Tariff(
        PriceFunction function,
        Currency currency,
        BigDecimal pricePerPeHour,
        BigDecimal premiumFactor,
        BigDecimal flexibilityDiscount,
        BigDecimal latenessDiscount,
        BigDecimal latenessScale,
        BigDecimal preemptionIncentive,
        BigDecimal shapeDiscount,
        BigDecimal renegotiationSurcharge,
        BigDecimal breachCredit,
        List<LoadStep> loadProfile,
        Cancellation cancellation) {

    /** The most decimals that a figure has. */
    public static final int MAX_DECIMALS = 6;

    private static final BigDecimal SECONDS_PER_HOUR = BigDecimal.valueOf(3600);

    /** What clusters charge unless told otherwise: one dollar per PE-hour, up to a fifth off for each discount. */
    public static final Tariff STANDARD = new Tariff(
            PriceFunction.BERTH,
            Currency.getInstance("USD"),
            new BigDecimal("1.00"),
            new BigDecimal("3"),
            new BigDecimal("0.2"),
            new BigDecimal("0.2"),
            new BigDecimal("5"),
            new BigDecimal("0.1"),
            new BigDecimal("0.1"),
            new BigDecimal("0.1"),
            BigDecimal.ONE,
            List.of(),
            Cancellation.FREE);

    /** The most steps of a load profile. */
    private static final int MAX_LOAD_STEPS = 20;

    /** The share of a price that Algorithm 2 takes off a run that ends at its deadline. */
    private static final BigDecimal MAX_TAKEN_OFF = new BigDecimal("0.6");

    /** What {@link ServiceClass#PREMIUM} is credited of the standard credit. */
    private static final BigDecimal PREMIUM_CREDIT = BigDecimal.TWO;

    /**
     * Drops zeros at the end, so that tariffs of the same figures are equal.
     *
     * @throws InvalidFigure naming the figure that is out of range or has more than six decimals, or the currency
     */
    public Tariff {
        if (currency.getDefaultFractionDigits() < 0) {
            throw new InvalidFigure("currency", currency, "must have a minor unit");
        }
        pricePerPeHour = figure("pricePerPeHour", pricePerPeHour, BigDecimal.ZERO, new BigDecimal("1000000"));
        premiumFactor = figure("premiumFactor", premiumFactor, BigDecimal.ONE, new BigDecimal("1000"));
        flexibilityDiscount = figure("flexibilityDiscount", flexibilityDiscount, BigDecimal.ZERO, BigDecimal.ONE);
        latenessDiscount = figure("latenessDiscount", latenessDiscount, BigDecimal.ZERO, BigDecimal.ONE);
        latenessScale = figure("latenessScale", latenessScale, new BigDecimal("0.01"), new BigDecimal("1000"));
        preemptionIncentive = figure("preemptionIncentive", preemptionIncentive, BigDecimal.ZERO, BigDecimal.ONE);
        shapeDiscount = figure("shapeDiscount", shapeDiscount, BigDecimal.ZERO, BigDecimal.ONE);
        renegotiationSurcharge =
                figure("renegotiationSurcharge", renegotiationSurcharge, BigDecimal.ZERO, new BigDecimal("1000"));
        breachCredit = figure("breachCredit", breachCredit, BigDecimal.ZERO, new BigDecimal("1000"));
        loadProfile = rising(loadProfile);
        cancellation = Cancellation.orFree(cancellation);
    }

    /** Nothing is owed for what is given up before it begins. */
    public Tariff(
            PriceFunction function,
            Currency currency,
            BigDecimal pricePerPeHour,
            BigDecimal premiumFactor,
            BigDecimal flexibilityDiscount,
            BigDecimal latenessDiscount,
            BigDecimal latenessScale,
            BigDecimal preemptionIncentive,
            BigDecimal shapeDiscount,
            BigDecimal renegotiationSurcharge,
            BigDecimal breachCredit,
            List<LoadStep> loadProfile) {
        this(
                function,
                currency,
                pricePerPeHour,
                premiumFactor,
                flexibilityDiscount,
                latenessDiscount,
                latenessScale,
                preemptionIncentive,
                shapeDiscount,
                renegotiationSurcharge,
                breachCredit,
                loadProfile,
                Cancellation.FREE);
    }

    private static List<LoadStep> rising(List<LoadStep> profile) {
        if (profile.size() > MAX_LOAD_STEPS) {
            throw new InvalidFigure(
                    "loadProfile", profile.size(), "must have at most %d steps".formatted(MAX_LOAD_STEPS));
        }
        var steps = new ArrayList<LoadStep>();
        for (var step : profile) {
            var field = "loadProfile[%d].".formatted(steps.size());
            var next = new LoadStep(
                    figure(field + "above", step.above(), BigDecimal.ZERO, BigDecimal.ONE),
                    figure(field + "factor", step.factor(), BigDecimal.ONE, new BigDecimal("1000")));
            if (!steps.isEmpty() && steps.getLast().above().compareTo(next.above()) >= 0) {
                throw new InvalidFigure(field + "above", next.above(), "must rise from step to step");
            }
            if (!steps.isEmpty() && steps.getLast().factor().compareTo(next.factor()) > 0) {
                throw new InvalidFigure(field + "factor", next.factor(), "must not fall from step to step");
            }
            steps.add(next);
        }
        return List.copyOf(steps);
    }

    static BigDecimal figure(String name, BigDecimal value, BigDecimal least, BigDecimal most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new InvalidFigure(name, value, "must lie between %s and %s".formatted(least, most));
        }
        var stripped = value.stripTrailingZeros();
        if (stripped.scale() > MAX_DECIMALS) {
            throw new InvalidFigure(name, value, "must have at most %d decimals".formatted(MAX_DECIMALS));
        }
        return stripped.setScale(Math.max(0, stripped.scale()));
    }

    /** Whether prices depend on how much of the cluster is booked. */
    public boolean dependsOnLoad() {
        return !loadProfile.isEmpty();
    }

    /**
     * The price of a run that keeps {@code terms} and takes these parts, rounded half up to the minor unit, once.
     *
     * @param mobility how far it may be moved until it starts
     * @param booked the share of the cluster's PE-seconds in the time of the parts that others have booked, in [0, 1]; does not
     *     matter unless prices depend on it
     */
    public Money price(Terms terms, List<Part> parts, Mobility mobility, BigDecimal booked, ServiceClass serviceClass) {
        return exactPrice(terms, parts, mobility, booked, serviceClass).rounded();
    }

    /**
     * The price of changed terms of a run that waits. Made looser, they cost the lesser of the agreed and the new price; made
     * tighter, the greater of the agreed price and the new one with the surcharge (paper 000, section 2.1: an incentive for more
     * flexibility, a penalty for less). They are looser if they are {@linkplain Terms#areAsFlexibleAs as flexible} as before. What
     * starts earlier, or takes more PE-seconds, was never agreed at all, and costs the new price at least; where it takes fewer, the
     * agreed price counts in proportion. So no change leads to a price below that of asking for its outcome.
     *
     * @param agreed what {@code before} costs on {@code had}, in this tariff's currency
     * @param had the parts that the run took under the terms before
     * @param parts those that it takes under the changed terms
     * @param mobility how far it may be moved from now on
     * @param booked as for {@link #price}
     */
    public Money renegotiated(
            Money agreed,
            Terms before,
            List<Part> had,
            Terms after,
            List<Part> parts,
            Mobility mobility,
            BigDecimal booked,
            ServiceClass serviceClass) {
        if (!after.areAsFlexibleAs(before)) {
            return tighter(agreed, had, after, parts, mobility, booked, serviceClass);
        }
        boolean wasAgreed = work(parts) <= work(had)
                && parts.getFirst().slot().start() >= had.getFirst().slot().start();
        return wasAgreed
                ? looser(agreed, had, after, parts, mobility, booked, serviceClass)
                : price(after, parts, mobility, booked, serviceClass);
    }

    private Money tighter(
            Money agreed,
            List<Part> had,
            Terms after,
            List<Part> parts,
            Mobility mobility,
            BigDecimal booked,
            ServiceClass serviceClass) {
        var fresh = exactPrice(after, parts, mobility, booked, serviceClass);
        var kept = kept(agreed, work(had), work(parts), fresh);
        var surcharged = surcharged(fresh);
        return (kept.compareTo(surcharged) > 0 ? kept : surcharged).rounded();
    }

    private Fraction surcharged(Fraction price) {
        return price.times(BigDecimal.ONE.add(renegotiationSurcharge));
    }

    /**
     * The price of a run whose owner gives up what mobility it has left: as for tighter terms, which leave none. Who has no
     * choice to give up pays nothing for it.
     *
     * @param booked as for {@link #price}
     */
    public Money fixed(Money agreed, Terms terms, List<Part> parts, BigDecimal booked, ServiceClass serviceClass) {
        return terms.areStrict() ? agreed : tighter(agreed, parts, terms, parts, Mobility.NONE, booked, serviceClass);
    }

    /**
     * The price of a run that goes on, once it has another end. What has begun owes its price, whatever is left of it; what is
     * added costs the new price, without any discount, and the surcharge.
     *
     * @param booked as for {@link #price}
     */
    public Money prolonged(
            Money agreed, List<Part> had, Terms after, List<Part> parts, BigDecimal booked, ServiceClass serviceClass) {
        if (work(parts) <= work(had)) {
            return agreed;
        }
        return kept(
                        agreed,
                        work(had),
                        work(parts),
                        surcharged(exactPrice(after, parts, Mobility.NONE, booked, serviceClass)))
                .rounded();
    }

    /**
     * The price of changed terms as far as they are looser, or the provider's own wish: the lesser of the agreed and the new
     * price. What is added is added at the new price: an agreed price, rounded as it is, says nothing about more than was agreed.
     * As for {@link #renegotiated}.
     */
    public Money looser(
            Money agreed,
            List<Part> had,
            Terms after,
            List<Part> parts,
            Mobility mobility,
            BigDecimal booked,
            ServiceClass serviceClass) {
        var fresh = exactPrice(after, parts, mobility, booked, serviceClass);
        var kept = kept(agreed, work(had), work(parts), fresh);
        return (kept.compareTo(fresh) < 0 ? kept : fresh).rounded();
    }

    /** The agreed price of the PE-seconds that are left of it, and the new price of those that are added. */
    private Fraction kept(Money agreed, long before, long after, Fraction fresh) {
        if (after <= before) {
            return new Fraction(agreed.amount().multiply(BigDecimal.valueOf(after)), BigDecimal.valueOf(before));
        }
        var whole = BigDecimal.valueOf(after);
        var added = BigDecimal.valueOf(after - before);
        var divisor = fresh.divisor.multiply(whole);
        return new Fraction(agreed.amount().multiply(divisor).add(fresh.dividend.multiply(added)), divisor);
    }

    /** The price after the provider has moved a run to these parts: never more than was agreed. */
    public Money moved(
            Money agreed,
            Terms terms,
            List<Part> parts,
            Mobility mobility,
            BigDecimal booked,
            ServiceClass serviceClass) {
        var fresh = price(terms, parts, mobility, booked, serviceClass);
        return fresh.exceeds(agreed) ? agreed : fresh;
    }

    private static long work(List<Part> parts) {
        return parts.stream().mapToLong(Part::work).sum();
    }

    /**
     * The share of its price that is still owed for what is given up before it begins; 0: nothing.
     *
     * @param start when it was to begin, seconds since the epoch
     */
    public BigDecimal owedIfGivenUp(long start, long now) {
        return cancellation.isLate(start, now) ? cancellation.share() : BigDecimal.ZERO;
    }

    /** What is credited for the breach of an agreement at that price. */
    public Money credit(Money agreed, ServiceClass serviceClass) {
        return new Fraction(agreed.amount(), BigDecimal.ONE)
                .times(breachCredit)
                .times(serviceClass == ServiceClass.PREMIUM ? PREMIUM_CREDIT : BigDecimal.ONE)
                .rounded();
    }

    /** An amount that is divided at the end: hours and discounts that are rounded on the way can cost or save a cent. */
    private final class Fraction implements Comparable<Fraction> {
        private final BigDecimal dividend;
        private final BigDecimal divisor;

        Fraction(BigDecimal dividend, BigDecimal divisor) {
            this.dividend = dividend;
            this.divisor = divisor;
        }

        Fraction times(BigDecimal factor) {
            return new Fraction(dividend.multiply(factor), divisor);
        }

        /** Less by a discount on that part of a whole, as far as there is mobility. */
        Fraction less(BigDecimal discount, BigDecimal part, BigDecimal whole, Mobility mobility) {
            var all = whole.multiply(mobility.waiting());
            var some = part.multiply(mobility.movable());
            return new Fraction(dividend.multiply(all.subtract(discount.multiply(some))), divisor.multiply(all));
        }

        Money rounded() {
            return Money.rounded(dividend, divisor, currency);
        }

        @Override
        public int compareTo(Fraction other) {
            return dividend.multiply(other.divisor).compareTo(other.dividend.multiply(divisor));
        }
    }

    private Fraction exactPrice(
            Terms terms, List<Part> parts, Mobility mobility, BigDecimal booked, ServiceClass serviceClass) {
        var price = switch (function) {
            case BERTH -> berth(terms, parts, mobility);
            case NETTO_BUYYA_2007 -> nettoBuyya(terms, parts);
        };
        return price.times(factor(serviceClass)).times(loadFactor(booked));
    }

    /**
     * Less for slack, for a late start, for each shape and for a run that may be split; slack and lateness are measured by the run
     * time of the largest shape.
     */
    private Fraction berth(Terms terms, List<Part> parts, Mobility mobility) {
        var window = terms.window();
        var fullWait = latenessScale.multiply(BigDecimal.valueOf(terms.runTime()));
        long waited = parts.getFirst().slot().start() - window.readyTime();
        long factor = terms.flexibilityFactor();
        var full = new Fraction(fullPrice(parts), SECONDS_PER_HOUR);
        var discounted = full.less(
                        flexibilityDiscount,
                        BigDecimal.valueOf(terms.flexibility()),
                        BigDecimal.valueOf(window.length()),
                        mobility)
                .less(latenessDiscount, BigDecimal.valueOf(waited).min(fullWait), fullWait, mobility)
                .less(shapeDiscount, BigDecimal.valueOf(factor - 1), BigDecimal.valueOf(factor), mobility);
        return terms.isPreemptible()
                ? discounted.less(
                        preemptionIncentive, BigDecimal.ONE, BigDecimal.ONE, parts.size() > 1 ? Mobility.ALL : mobility)
                : discounted;
    }

    /**
     * Paper 003, Algorithm 2, as printed: less, the nearer to its deadline the run ends. Times count from the ready time, for
     * the paper's requests that of submission; what is taken off is rounded down to the minor unit. A run without slack ends at
     * once and at its deadline: nothing is taken off it.
     */
    private Fraction nettoBuyya(Terms terms, List<Part> parts) {
        long slack = terms.flexibility();
        // parts of several shapes, each rounded to seconds, can be done a little sooner than the largest shape
        long late = Math.max(0, parts.getLast().slot().end() - terms.window().readyTime() - terms.runTime());
        var takenOff = slack == 0
                ? BigDecimal.ZERO
                : fullPrice(parts)
                        .multiply(MAX_TAKEN_OFF)
                        .multiply(BigDecimal.valueOf(late))
                        .divide(
                                SECONDS_PER_HOUR.multiply(BigDecimal.valueOf(slack)),
                                currency.getDefaultFractionDigits(),
                                RoundingMode.FLOOR);
        var price = new Fraction(fullPrice(parts).subtract(takenOff.multiply(SECONDS_PER_HOUR)), SECONDS_PER_HOUR);
        return terms.isPreemptible() ? price.times(BigDecimal.ONE.subtract(preemptionIncentive)) : price;
    }

    /** PEs x seconds x price per PE-hour. */
    private BigDecimal fullPrice(List<Part> parts) {
        return BigDecimal.valueOf(work(parts)).multiply(pricePerPeHour);
    }

    /** That of the highest step that is exceeded. */
    private BigDecimal loadFactor(BigDecimal booked) {
        var factor = BigDecimal.ONE;
        for (var step : loadProfile) {
            factor = booked.compareTo(step.above()) > 0 ? step.factor() : factor;
        }
        return factor;
    }

    private BigDecimal factor(ServiceClass serviceClass) {
        return serviceClass == ServiceClass.PREMIUM ? premiumFactor : BigDecimal.ONE;
    }
}
