package berth.pricing;

import static berth.pricing.RigidPrices.fixed;
import static berth.pricing.RigidPrices.moved;
import static berth.pricing.RigidPrices.price;
import static berth.pricing.RigidPrices.prolonged;
import static berth.pricing.RigidPrices.renegotiated;
import static org.assertj.core.api.Assertions.assertThat;

import berth.sla.Fixing;
import berth.sla.Mobility;
import berth.sla.Money;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Window;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Changes of an agreed price with a tariff of a dollar per PE-hour, discounts up to a fifth, and a surcharge of a tenth for tighter terms.
 */
class ChangedPriceTest {

    private static final long HOUR = 3600;
    private static final int[] DIVIDE_EVENLY = {1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 80, 100};

    private final Tariff tariff = Tariff.STANDARD;

    /** Two hours on four PEs within four hours: 7.20 if they start at once. */
    private final Terms before = run(4, 2 * HOUR, 4 * HOUR);

    @Test
    void isTheLesserOfTheAgreedAndTheNewPriceForLooserTerms() {
        var looser = run(4, 2 * HOUR, 8 * HOUR);

        // new: 8 x (1 - 0.2 x 6/8) = 6.80
        assertThat(changed("7.20", looser, 0)).hasToString("6.80 USD");
        assertThat(changed("6.00", looser, 0)).hasToString("6.00 USD");
    }

    @Test
    void isTheGreaterOfTheAgreedAndTheNewPriceWithTheSurchargeForTighterTerms() {
        var tighter = run(4, 2 * HOUR, 2 * HOUR);

        // new: 8.00
        assertThat(changed("7.20", tighter, 0)).hasToString("8.80 USD");
        assertThat(changed("9.00", tighter, 0)).hasToString("9.00 USD");
    }

    @Test
    void isThePriceOfLooserTermsIfTheyAreEquallyFlexible() {
        assertThat(changed("7.00", before, 0)).hasToString("7.00 USD");
        assertThat(changed("8.00", before, 0)).hasToString("7.20 USD");
    }

    @Test
    void isTheNewPriceOfLooserTermsThatTakeMoreOrStartEarlier() {
        // 12 x (1 - 0.2 x 2/5) = 11.04
        assertThat(changed("7.00", run(4, 3 * HOUR, 5 * HOUR), 0)).hasToString("11.04 USD");
        // 16 x 0.9
        assertThat(changed("5.00", run(8, 2 * HOUR, 4 * HOUR), 0)).hasToString("14.40 USD");
        // it waited for one run time and no longer does
        assertThat(renegotiated(tariff, usd("6.91"), before, 2 * HOUR, before, 0, Mobility.ALL, ServiceClass.STANDARD))
                .hasToString("7.20 USD");
    }

    @Test
    void isThePriceOfTighterTermsIfTheWindowShiftsOrThePlaceIsFinalEarlier() {
        var shifted = run(4, 2 * HOUR, new Window(HOUR, 5 * HOUR));
        // new: 7.20, plus a tenth
        assertThat(changed("7.20", shifted, HOUR)).hasToString("7.92 USD");

        var half = fixedAfter("0.5");
        assertThat(half.areAsFlexibleAs(before)).isFalse();
        assertThat(before.areAsFlexibleAs(half)).isTrue();
        assertThat(half.areAsFlexibleAs(fixedAfter("0.4"))).isTrue();
        assertThat(half.areAsFlexibleAs(fixedAfter("0.6"))).isFalse();
    }

    private Terms fixedAfter(String share) {
        return new Terms(
                before.window(),
                before.duration(),
                before.shapes(),
                before.moldability(),
                before.preemption(),
                before.budget(),
                before.requires(),
                new Fixing(Optional.of(new BigDecimal(share)), OptionalLong.empty()),
                before.scenario());
    }

    @Test
    void isThePriceOfTighterTermsIfThePlaceIsFixed() {
        // 8.00 without any discount, plus a tenth
        assertThat(fixed(tariff, usd("7.20"), before, 0, ServiceClass.STANDARD)).hasToString("8.80 USD");
        assertThat(fixed(tariff, usd("9.00"), before, 0, ServiceClass.STANDARD)).hasToString("9.00 USD");
        var strict = run(4, 2 * HOUR, 2 * HOUR);
        assertThat(fixed(tariff, usd("8.00"), strict, 0, ServiceClass.STANDARD)).hasToString("8.00 USD");
    }

    @Test
    void addsTheFullPriceAndTheSurchargeForMoreOfARunThatGoesOn() {
        // 7.20, plus 4 x 1.1 for another hour
        assertThat(prolonged(tariff, usd("7.20"), before, run(4, 3 * HOUR, 4 * HOUR), 0, ServiceClass.STANDARD))
                .hasToString("11.60 USD");
        assertThat(prolonged(tariff, usd("7.20"), before, run(4, HOUR, 4 * HOUR), 0, ServiceClass.STANDARD))
                .hasToString("7.20 USD");
    }

    @Test
    void countsTheAgreedPriceInProportionToTheWork() {
        // new: 2 x 2 x 0.9 = 3.60; agreed in proportion: 2.50
        assertThat(changed("5.00", run(2, 2 * HOUR, 4 * HOUR), 0)).hasToString("2.50 USD");
        // looser because of the shorter run; new: 4 x (1 - 0.2 x 3/4) = 3.40; agreed in proportion: 2.50
        assertThat(changed("5.00", run(4, HOUR, 4 * HOUR), 0)).hasToString("2.50 USD");
    }

    @Test
    void asksTheNewPriceForWorkThatIsAdded() {
        // tighter because of the longer run; new: 12 x (1 - 0.2 x 1/4) = 11.40, plus a tenth
        assertThat(changed("8.00", run(4, 3 * HOUR, 4 * HOUR), 0)).hasToString("12.54 USD");
        // a third of the new price on top of the agreed one
        assertThat(changed("9.00", run(4, 3 * HOUR, 4 * HOUR), 0)).hasToString("12.80 USD");
    }

    @Test
    void isThePriceOfTheAddedWorkIfTheAgreedPriceIsTiny() {
        var tiny = run(1, 1, 1);
        var huge = run(1_000, 2 * HOUR, 2 * HOUR);
        assertThat(price(tariff, tiny, 0, ServiceClass.STANDARD)).hasToString("0.01 USD");

        // 2000, of which one PE-second is agreed
        assertThat(renegotiated(tariff, usd("0.01"), tiny, huge, 0, ServiceClass.STANDARD))
                .hasToString("2000.00 USD");
    }

    @Test
    void dependsOnTheNewStart() {
        // new: 7.20 x (1 - 0.2 x 1/5) = 6.912
        assertThat(changed("7.20", before, 2 * HOUR)).hasToString("6.92 USD");
    }

    @Test
    void multipliesThePriceOfPremium() {
        assertThat(renegotiated(tariff, usd("7.20"), before, run(4, 2 * HOUR, 2 * HOUR), 0, ServiceClass.PREMIUM))
                .hasToString("26.40 USD");
    }

    @Test
    void isNeverMoreAfterTheProviderHasMovedTheRun() {
        // a wait of one run time: 6.912
        assertThat(moved(tariff, usd("7.20"), before, 2 * HOUR, ServiceClass.STANDARD))
                .hasToString("6.92 USD");
        assertThat(moved(tariff, usd("6.91"), before, 0, ServiceClass.STANDARD)).hasToString("6.91 USD");
        assertThat(moved(tariff, usd("6.00"), before, 2 * HOUR, ServiceClass.STANDARD))
                .hasToString("6.00 USD");
    }

    @Test
    void doesNotGrowWithTheNumberOfStepsInWhichTermsWereTightened() {
        var price = usd("7.20");
        for (long window = 2 * HOUR + 1_000; window > 2 * HOUR; window--) {
            price = renegotiated(
                    tariff, price, run(4, 2 * HOUR, window), run(4, 2 * HOUR, window - 1), 0, ServiceClass.STANDARD);
        }

        assertThat(price).hasToString("8.80 USD");
    }

    @Test
    void isCreditedForABreachByTheShareOfTheTariff() {
        assertThat(tariff.credit(usd("7.20"))).hasToString("7.20 USD");
        assertThat(crediting("0.333").credit(usd("0.05"))).hasToString("0.02 USD");
        assertThat(crediting("0.1").credit(usd("0.05"))).hasToString("0.01 USD");
        assertThat(crediting("0").credit(usd("7.20"))).hasToString("0.00 USD");
    }

    @Test
    void isNeverCreditedMoreThanOnce() {
        assertThat(crediting("2").credit(usd("7.20"))).hasToString("7.20 USD");
    }

    @Test
    void neverRisesForLooserTermsNorFallsForTighterOnesBeyondTheWork() {
        var random = new Random(3);
        for (int i = 0; i < 20_000; i++) {
            var of = tariff(random, BigDecimal.valueOf(random.nextInt(1_000_000), 3));
            var was = run(1 + random.nextInt(100), 1 + random.nextInt(500), 1_000 + random.nextInt(500));
            var becomes = run(1 + random.nextInt(100), 1 + random.nextInt(500), 1_000 + random.nextInt(500));
            long start = random.nextLong(becomes.flexibility() + 1);
            var agreed = new Money(BigDecimal.valueOf(random.nextInt(100_000), 3), of.currency());

            var price = renegotiated(of, agreed, was, becomes, start, ServiceClass.STANDARD);

            var left = Money.roundedUp(
                    agreed.amount().multiply(BigDecimal.valueOf(Math.min(was.work(), becomes.work()))),
                    BigDecimal.valueOf(was.work()),
                    of.currency());
            var fresh = price(of, becomes, start, ServiceClass.STANDARD);
            if (!becomes.areAsFlexibleAs(was)) {
                assertThat(left.exceeds(price)).as("%s", price).isFalse();
                assertThat(fresh.exceeds(price)).as("%s", price).isFalse();
            } else {
                assertThat(price.exceeds(fresh)).as("%s", price).isFalse();
                if (becomes.work() <= was.work()) {
                    assertThat(price.exceeds(left)).as("%s", price).isFalse();
                } else {
                    assertThat(price).isEqualTo(fresh);
                }
            }
            assertThat(moved(of, agreed, becomes, start, ServiceClass.STANDARD).exceeds(agreed))
                    .isFalse();
        }
    }

    @Test
    void isExact() {
        var random = new Random(4);
        for (int i = 0; i < 20_000; i++) {
            // figures with factors of two and five, and nine for the seconds of the hour, so that every quotient is a
            // finite decimal
            var of = tariff(random, BigDecimal.valueOf(9L * random.nextInt(100_000), 3));
            var was = run(pick(random), pick(random), 128);
            var becomes = run(pick(random), pick(random), List.of(125, 128, 160).get(random.nextInt(3)));
            long start = random.nextLong(becomes.flexibility() + 1);
            var serviceClass = random.nextBoolean() ? ServiceClass.STANDARD : ServiceClass.PREMIUM;
            var agreed = new Money(BigDecimal.valueOf(random.nextInt(100_000), 3), of.currency());

            assertThat(price(of, becomes, start, serviceClass))
                    .isEqualTo(rounded(exactly(of, becomes, start, serviceClass), of));
            assertThat(renegotiated(of, agreed, was, becomes, start, serviceClass))
                    .isEqualTo(rounded(exactly(of, agreed, was, becomes, start, serviceClass), of));
        }
    }

    private static BigDecimal exactly(
            Tariff of, Money agreed, Terms was, Terms becomes, long start, ServiceClass serviceClass) {
        var fresh = exactly(of, becomes, start, serviceClass);
        long left = Math.min(was.work(), becomes.work());
        var kept = agreed.amount()
                .multiply(BigDecimal.valueOf(left))
                .divide(BigDecimal.valueOf(was.work()))
                .add(fresh.multiply(BigDecimal.valueOf(becomes.work() - left))
                        .divide(BigDecimal.valueOf(becomes.work())));
        if (becomes.areAsFlexibleAs(was)) {
            return becomes.work() > was.work() ? fresh : fresh.min(kept);
        }
        return kept.max(fresh.multiply(BigDecimal.ONE.add(of.renegotiationSurcharge())));
    }

    private static BigDecimal exactly(Tariff of, Terms terms, long start, ServiceClass serviceClass) {
        var runTime = BigDecimal.valueOf(terms.runTime());
        var slack = BigDecimal.valueOf(terms.flexibility())
                .divide(BigDecimal.valueOf(terms.window().length()));
        var waited = BigDecimal.valueOf(start)
                .divide(runTime.multiply(of.latenessScale()))
                .min(BigDecimal.ONE);
        return of.pricePerPeHour()
                .multiply(runTime)
                .divide(BigDecimal.valueOf(HOUR))
                .multiply(BigDecimal.valueOf(terms.pes()))
                .multiply(serviceClass == ServiceClass.PREMIUM ? of.premiumFactor() : BigDecimal.ONE)
                .multiply(BigDecimal.ONE.subtract(of.flexibilityDiscount().multiply(slack)))
                .multiply(BigDecimal.ONE.subtract(of.latenessDiscount().multiply(waited)));
    }

    private static Money rounded(BigDecimal exact, Tariff of) {
        return new Money(exact.setScale(3, RoundingMode.CEILING), of.currency());
    }

    private Money changed(String agreed, Terms after, long start) {
        return renegotiated(tariff, usd(agreed), before, after, start, ServiceClass.STANDARD);
    }

    private static Tariff tariff(Random random, BigDecimal pricePerPeHour) {
        return Tariff.STANDARD
                .with("currency", Currency.getInstance("KWD"))
                .with("pricePerPeHour", pricePerPeHour)
                .with("premiumFactor", BigDecimal.valueOf(100 + random.nextInt(400), 2))
                .with("flexibilityDiscount", BigDecimal.valueOf(random.nextInt(101), 2))
                .with("latenessDiscount", BigDecimal.valueOf(random.nextInt(101), 2))
                .with("latenessScale", BigDecimal.valueOf(pick(random), 1))
                .with("renegotiationSurcharge", BigDecimal.valueOf(random.nextInt(200), 2));
    }

    private static Tariff crediting(String share) {
        return Tariff.STANDARD.with("breachCredit", new BigDecimal(share));
    }

    private static int pick(Random random) {
        return DIVIDE_EVENLY[random.nextInt(DIVIDE_EVENLY.length)];
    }

    /** Returns the terms of a run in a window from second 0 on. */
    private static Terms run(int pes, long duration, long windowLength) {
        return run(pes, duration, new Window(0, windowLength));
    }

    private static Terms run(int pes, long duration, Window window) {
        return new Terms(
                window,
                duration,
                List.of(new Shape(pes, duration)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.INTERVAL);
    }

    private static Money usd(String amount) {
        return new Money(new BigDecimal(amount), Currency.getInstance("USD"));
    }
}
