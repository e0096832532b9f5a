package berth.pricing;

import static berth.sla.Components.checked;
import static berth.sla.Components.stripped;

import berth.sla.Components;
import berth.sla.Configuration;
import berth.sla.InvalidFigure;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.ServiceClass;
import berth.sla.Settable;
import berth.sla.Terms;
import berth.time.Slot;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Prices of the PEs of a cluster. Berth's own function multiplies PEs, hours and the price per PE-hour by a factor for the service class and by
 * four discounts: for flexibility, for a late start, for the number of shapes, and for a run that can be split. Paper 000 (section 2.1)
 * asks that flexible clients pay less. Paper 003 (section 3.2) asks for discounts for a late start, for more shapes and for splitting, and
 * that prices may depend on the load, which multiplies everything, and so do the factors of a {@linkplain Signal signal}.
 *
 * <p>Differs from the papers: flexibility that the provider cannot use earns nothing. Each discount counts in proportion to the {@linkplain
 * Mobility share of the wait} in which the run can still move, and only a run that is actually split earns the whole incentive for
 * splitting. A client that fixes its place therefore pays as much as one that asks for nothing else, however it fixes it.
 *
 * <p>For the same placement, more slack, another shape or another part never raises the price. For the same terms and shape, a later start
 * never raises it unless prices {@linkplain #dependsOnTime() depend on the time}.
 *
 * <p>Shares are in [0, 1]. Older tariffs may have a {@code breachCredit} of more than 1, which counts as 1. Rows of the journal leave out a free
 * {@code cancellation}, a {@code returnShare} of 0 and an empty {@code signal}.
 *
 * @param function how Berth calculates the price
 * @param currency currency of all prices
 * @param pricePerPeHour price of one PE for one hour, before all discounts. In a request it may also be a number
 * @param premiumFactor factor on the standard price for accounts with the service class PREMIUM
 * @param flexibilityDiscount the share of the price that the discount approaches as flexibility grows
 * @param latenessDiscount the share of the price taken off for a late start
 * @param latenessScale how late a start must be for the full lateness discount, in run times
 * @param preemptionIncentive the share of the price taken off for a run that may be split
 * @param shapeDiscount the share of the price that the discount approaches as the number of shapes grows
 * @param renegotiationSurcharge the share of the price added when terms become tighter
 * @param breachCredit the share of the price that is credited for a breach, 0 to 1
 * @param loadProfile factors on the price that apply when much of the cluster is booked, by rising share
 * @param cancellation the charge for a late cancellation
 * @param returnShare the share of the price of PE-time that is taken off if an owner returns it while the run goes on
 * @param flexibilityScale how much slack earns half of {@code flexibilityDiscount}; null for as much as the run time
 * @param signal factors on the price by time
 */
public record Tariff(
        @Settable PriceFunction function,
        @Settable Currency currency,

        @Settable(min = "0", max = "1000000", isMoney = true)
        BigDecimal pricePerPeHour,

        @Settable(min = "1", max = "1000", example = "3") BigDecimal premiumFactor,
        @Settable(min = "0", max = "1", example = "0.2") BigDecimal flexibilityDiscount,
        @Settable(min = "0", max = "1", example = "0.2") BigDecimal latenessDiscount,
        @Settable(min = "0.01", max = "1000", example = "5") BigDecimal latenessScale,
        @Settable(min = "0", max = "1", example = "0.1") BigDecimal preemptionIncentive,
        @Settable(min = "0", max = "1", example = "0.1") BigDecimal shapeDiscount,
        @Settable(min = "0", max = "1000", example = "0.1") BigDecimal renegotiationSurcharge,
        @Settable(min = "0", max = "1", example = "1") BigDecimal breachCredit,
        @Settable List<LoadStep> loadProfile,
        @Settable Cancellation cancellation,
        @Settable(min = "0", max = "1", example = "0.5") BigDecimal returnShare,

        @Settable(min = "1", max = "" + MAX_FLEXIBILITY_SCALE, example = "PT12H")
        OptionalLong flexibilityScale,

        Signal signal)
        implements Configuration<Tariff> {

    private static final BigDecimal SECONDS_PER_HOUR = BigDecimal.valueOf(3600);

    /** The default prices: one dollar per PE-hour, with discounts of at most a fifth each. */
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
            Cancellation.FREE,
            BigDecimal.ZERO,
            OptionalLong.empty(),
            Signal.NONE);

    private static final long MAX_FLEXIBILITY_SCALE = 10 * 366 * 86_400L;

    /** The most steps of a load profile. */
    private static final int MAX_LOAD_STEPS = 20;

    /** The share of the price that Algorithm 2 takes off a run that ends at its deadline. */
    private static final BigDecimal MAX_TAKEN_OFF = new BigDecimal("0.6");

    /**
     * Strips trailing zeros, so that tariffs with the same figures are equal.
     *
     * @throws InvalidFigure if a figure is out of range or has more than six decimals, or if the currency is unsuitable; it names the
     *     figure
     */
    public Tariff {
        if (currency.getDefaultFractionDigits() < 0) {
            throw new InvalidFigure("currency", currency, "must have a minor unit");
        }
        pricePerPeHour = checked(Tariff.class, "pricePerPeHour", pricePerPeHour);
        premiumFactor = checked(Tariff.class, "premiumFactor", premiumFactor);
        flexibilityDiscount = checked(Tariff.class, "flexibilityDiscount", flexibilityDiscount);
        latenessDiscount = checked(Tariff.class, "latenessDiscount", latenessDiscount);
        latenessScale = checked(Tariff.class, "latenessScale", latenessScale);
        preemptionIncentive = checked(Tariff.class, "preemptionIncentive", preemptionIncentive);
        shapeDiscount = checked(Tariff.class, "shapeDiscount", shapeDiscount);
        renegotiationSurcharge = checked(Tariff.class, "renegotiationSurcharge", renegotiationSurcharge);
        if (breachCredit.signum() < 0 || breachCredit.compareTo(new BigDecimal("1000")) > 0) {
            throw new InvalidFigure("breachCredit", breachCredit, "must lie between 0 and 1");
        }
        breachCredit = stripped(breachCredit);
        if (breachCredit.scale() > Components.MAX_DECIMALS) {
            throw new InvalidFigure("breachCredit", breachCredit, "must have at most 6 decimals");
        }
        loadProfile = rising(loadProfile);
        cancellation = Cancellation.orFree(cancellation);
        returnShare = checked(Tariff.class, "returnShare", Objects.requireNonNullElse(returnShare, BigDecimal.ZERO));
        checked(Tariff.class, "flexibilityScale", flexibilityScale);
        signal = Objects.requireNonNullElse(signal, Signal.NONE);
    }

    private static List<LoadStep> rising(List<LoadStep> profile) {
        if (profile.size() > MAX_LOAD_STEPS) {
            throw new InvalidFigure(
                    "loadProfile", profile.size(), "must have at most %d steps".formatted(MAX_LOAD_STEPS));
        }
        var steps = new ArrayList<LoadStep>();
        for (var next : profile) {
            var field = "loadProfile[%d].".formatted(steps.size());
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

    /** Whether prices depend on the load of the cluster. */
    public boolean dependsOnLoad() {
        return !loadProfile.isEmpty();
    }

    /** Whether a later start may cost more: if prices depend on the load or on a signal. */
    public boolean dependsOnTime() {
        return dependsOnLoad() || !signal.isNone();
    }

    /** Returns the price of a run, rounded up once, to the minor unit. */
    public Money price(PricedRun run) {
        return exactPrice(run).roundedUp();
    }

    /**
     * Returns the price of a waiting run after its terms have changed. Looser terms cost the lesser of the agreed and the new price.
     * Tighter terms cost the greater of the agreed price and the new price with the surcharge (paper 000, section 2.1: an incentive for
     * more flexibility, a penalty for less). Terms are looser if they are {@linkplain Terms#areAsFlexibleAs at least as flexible} as
     * before. An earlier start, more PE-seconds or hours of a higher mean factor cost at least the new price, because they were not part of
     * the agreement; with fewer PE-seconds the agreed price counts in proportion. So no change gives a lower price than a new request for its result.
     *
     * @param agreed the price of {@code before} on {@code had}, in this tariff's currency
     * @param had the parts of the run before the change
     * @param after the run after the change
     */
    public Money renegotiated(Money agreed, Terms before, List<Part> had, PricedRun after) {
        if (!after.terms().areAsFlexibleAs(before)) {
            return tighter(agreed, had, after);
        }
        boolean wasAgreed = after.work() <= work(had)
                && after.parts().getFirst().slot().start()
                        >= had.getFirst().slot().start()
                && signal.compareMeans(after.parts(), had) <= 0;
        return wasAgreed ? looser(agreed, had, after) : price(after);
    }

    private Money tighter(Money agreed, List<Part> had, PricedRun after) {
        var fresh = exactPrice(after);
        var kept = kept(agreed, work(had), after.work(), fresh);
        var surcharged = surcharged(fresh);
        return (kept.compareTo(surcharged) > 0 ? kept : surcharged).roundedUp();
    }

    private Fraction surcharged(Fraction price) {
        return price.times(BigDecimal.ONE.add(renegotiationSurcharge));
    }

    /**
     * Returns the price of a run after its owner has fixed its place. It is the price of tighter terms without any mobility; a run whose
     * terms leave no choice of time, shape or parts costs nothing more.
     */
    public Money fixed(Money agreed, PricedRun run) {
        return run.terms().areStrict() ? agreed : tighter(agreed, run.parts(), run.moving(Mobility.NONE));
    }

    /**
     * Returns the price of a running reservation after its end has moved. The agreed price stays due; the additional time costs the new
     * price without discounts, plus the surcharge.
     *
     * @param after the run after the change
     * @param added how many PE-seconds at the end of its last part were not agreed before
     */
    public Money prolonged(Money agreed, PricedRun after, long added) {
        if (added == 0) {
            return agreed;
        }
        long work = after.work();
        var last = after.parts().getLast();
        long end = last.slot().end();
        var more = Part.whole(new Slot(end - added / last.pes(), end), last.pes());
        var fresh = signalled(atAnyTime(after.moving(Mobility.NONE)), List.of(more));
        return kept(agreed, work - added, work, surcharged(fresh)).roundedUp();
    }

    /**
     * Returns the amounts that are taken off the price of a run if its owner returns some of its PE-time while it goes on: at once {@code
     * returnShare} of what the returned time cost by the agreement, and of no more than it would cost now, and the rest if others book the
     * time again and are charged for it. If prices are not in proportion
     * to time, the time that is kept costs at least what it would cost by itself at the highest load. So nobody pays less by reserving too
     * much and returning it, or by returning time and reserving it again.
     *
     * @param agreed the price of the kept and the returned parts, in this tariff's currency
     * @param kept the parts that the run had and keeps; may be empty
     * @param returned the run with only the parts that are returned
     */
    public Back returned(Money agreed, List<Part> kept, PricedRun returned) {
        long back = returned.work();
        var whole = new Fraction(agreed.amount(), BigDecimal.ONE);
        var value = kept(agreed, work(kept) + back, back, whole).min(exactPrice(returned.moving(Mobility.NONE)));
        boolean isInProportion = function == PriceFunction.BERTH && !dependsOnTime();
        if (!isInProportion && !kept.isEmpty()) {
            var byItself = new PricedRun(returned.terms(), kept, Mobility.ALL, BigDecimal.ONE, returned.serviceClass());
            value = value.min(whole.less(exactPrice(byItself)));
        }
        var atOnce = value.times(returnShare).roundedDown();
        return new Back(
                atOnce, returnShare.signum() == 0 ? atOnce : value.roundedDown().less(atOnce));
    }

    /**
     * What owners get back of the price of returned time.
     *
     * @param atOnce what is taken off the price at once
     * @param rest what more can be taken off, if others book the time again
     */
    public record Back(Money atOnce, Money rest) {}

    /**
     * Returns the price after a change that only loosens the terms or that the provider wants: the lesser of the agreed and the new price.
     * Additional PE-seconds cost the new price, because the agreed price, once rounded, covers only what was agreed. Otherwise as {@link
     * #renegotiated}.
     */
    public Money looser(Money agreed, List<Part> had, PricedRun after) {
        var fresh = exactPrice(after);
        var kept = kept(agreed, work(had), after.work(), fresh);
        return (kept.compareTo(fresh) < 0 ? kept : fresh).roundedUp();
    }

    /** Returns the agreed price of the PE-seconds that remain, plus the new price of additional ones. */
    private Fraction kept(Money agreed, long before, long after, Fraction fresh) {
        if (after <= before) {
            return new Fraction(agreed.amount().multiply(BigDecimal.valueOf(after)), BigDecimal.valueOf(before));
        }
        var whole = BigDecimal.valueOf(after);
        var added = BigDecimal.valueOf(after - before);
        var divisor = fresh.divisor.multiply(whole);
        return new Fraction(agreed.amount().multiply(divisor).add(fresh.dividend.multiply(added)), divisor);
    }

    /** Returns the price after the provider has moved a run to its parts. It is never more than the agreed price. */
    public Money moved(Money agreed, PricedRun after) {
        var fresh = price(after);
        return fresh.exceeds(agreed) ? agreed : fresh;
    }

    static long work(List<Part> parts) {
        return parts.stream().mapToLong(Part::work).sum();
    }

    /**
     * Returns the share of the price that a cancellation before the start costs; 0 if it is free.
     *
     * @param start the planned start, in seconds since the epoch
     */
    public BigDecimal owedIfGivenUp(long start, long now) {
        return cancellation.isLate(start, now) ? cancellation.share() : BigDecimal.ZERO;
    }

    /**
     * Returns the last second in which a cancellation costs nothing, in seconds since the epoch; empty if it costs nothing before the start.
     */
    public OptionalLong cancelledFreeUntil(long start) {
        return cancellation.freeUntil(start);
    }

    /** Returns the credit for the breach of an agreement, which is never more than the agreed price. */
    public Money credit(Money agreed) {
        return new Fraction(agreed.amount(), BigDecimal.ONE)
                .times(breachCredit.min(BigDecimal.ONE))
                .roundedUp();
    }

    /** An exact amount that is divided only at the end. Rounding hours and discounts on the way could change the result by a cent. */
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

        Fraction dividedBy(BigDecimal whole) {
            return new Fraction(dividend, divisor.multiply(whole));
        }

        /** Subtracts a discount for {@code part} of {@code whole}, in proportion to the mobility. */
        Fraction less(BigDecimal discount, BigDecimal part, BigDecimal whole, Mobility mobility) {
            var all = whole.multiply(mobility.waiting());
            var some = part.multiply(mobility.movable());
            return new Fraction(dividend.multiply(all.subtract(discount.multiply(some))), divisor.multiply(all));
        }

        /** Subtracts an amount; the difference is at least zero. */
        Fraction less(Fraction other) {
            var difference = dividend.multiply(other.divisor).subtract(other.dividend.multiply(divisor));
            return new Fraction(difference.max(BigDecimal.ZERO), divisor.multiply(other.divisor));
        }

        Fraction min(Fraction other) {
            return compareTo(other) <= 0 ? this : other;
        }

        Money roundedUp() {
            return Money.roundedUp(dividend, divisor, currency);
        }

        Money roundedDown() {
            return new Money(
                    dividend.divide(divisor, currency.getDefaultFractionDigits(), RoundingMode.FLOOR), currency);
        }

        @Override
        public int compareTo(Fraction other) {
            return dividend.multiply(other.divisor).compareTo(other.dividend.multiply(divisor));
        }
    }

    private Fraction exactPrice(PricedRun run) {
        return signalled(atAnyTime(run), run.parts());
    }

    /** Multiplies a price by the mean factor of the signal over these parts. */
    private Fraction signalled(Fraction price, List<Part> parts) {
        return signal.isNone() ? price : price.times(signal.weighed(parts)).dividedBy(BigDecimal.valueOf(work(parts)));
    }

    /** Returns the price without the factors of the signal. */
    private Fraction atAnyTime(PricedRun run) {
        var price = switch (function) {
            case BERTH -> berth(run.terms(), run.parts(), run.mobility());
            case NETTO_BUYYA_2007 -> nettoBuyya(run.terms(), run.parts());
        };
        return price.times(classFactor(run.serviceClass())).times(loadFactor(run.booked()));
    }

    /**
     * Applies Berth's discounts for slack, late starts, shapes and splitting. Lateness is measured in run times of the largest shape; slack
     * too, unless the tariff has a scale for it. Both count up to the agreed shift.
     */
    private Fraction berth(Terms terms, List<Part> parts, Mobility mobility) {
        var window = terms.window();
        var fullWait = latenessScale.multiply(BigDecimal.valueOf(terms.runTime()));
        long waited = Math.min(
                parts.getFirst().slot().start() - window.readyTime(),
                terms.mobility().maxShift().orElse(Long.MAX_VALUE));
        long factor = terms.flexibilityFactor();
        long slack = terms.usableFlexibility();
        var full = new Fraction(fullPrice(parts), SECONDS_PER_HOUR);
        var discounted = full.less(
                        flexibilityDiscount,
                        BigDecimal.valueOf(slack),
                        BigDecimal.valueOf(slack + flexibilityScale.orElse(terms.runTime())),
                        mobility)
                .less(latenessDiscount, BigDecimal.valueOf(waited).min(fullWait), fullWait, mobility)
                .less(shapeDiscount, BigDecimal.valueOf(factor - 1), BigDecimal.valueOf(factor), mobility);
        return terms.isPreemptible()
                ? discounted.less(
                        preemptionIncentive, BigDecimal.ONE, BigDecimal.ONE, parts.size() > 1 ? Mobility.ALL : mobility)
                : discounted;
    }

    /**
     * Applies paper 003, Algorithm 2, as printed: the closer to its deadline a run ends, the less it costs. Times count from the ready
     * time, which is the time of submission for the paper's requests. The discount is rounded down to the minor unit. A run without slack
     * ends at once at its deadline and gets no discount.
     */
    private Fraction nettoBuyya(Terms terms, List<Part> parts) {
        long slack = terms.flexibility();
        // the parts of several shapes, each rounded to seconds, can end slightly before the largest shape would
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

    /** Returns PEs times seconds times the price per PE-hour. */
    private BigDecimal fullPrice(List<Part> parts) {
        return BigDecimal.valueOf(work(parts)).multiply(pricePerPeHour);
    }

    /** Returns the factor of the highest step that the load exceeds; it never falls for a higher load. */
    public BigDecimal loadFactor(BigDecimal booked) {
        var factor = BigDecimal.ONE;
        for (var step : loadProfile) {
            factor = booked.compareTo(step.above()) > 0 ? step.factor() : factor;
        }
        return factor;
    }

    /** Returns the factor that a service class pays on the standard price. */
    public BigDecimal classFactor(ServiceClass serviceClass) {
        return serviceClass == ServiceClass.PREMIUM ? premiumFactor : BigDecimal.ONE;
    }
}
