package berth.pricing;

import static berth.pricing.RigidPrices.price;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import berth.sla.Fixing;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each expected price is calculated by hand; the calculation is next to it unless it is obvious. */
class TariffTest {

    private static final long HOUR = 3600;

    private final Tariff standard = Tariff.STANDARD;

    @Test
    void chargesPesTimesHoursForARigidRun() {
        assertThat(price(standard, run(4, 2 * HOUR, 2 * HOUR), 0, ServiceClass.STANDARD))
                .hasToString("8.00 USD");
    }

    @Test
    void takesOffForFlexibility() {
        // half of the window is slack: 8 x (1 - 0.2 x 1/2)
        assertThat(price(standard, run(4, 2 * HOUR, 4 * HOUR), 0, ServiceClass.STANDARD))
                .hasToString("7.20 USD");
        // 1 - 0.2 x 10/11 = 0.8181...
        assertThat(price(standard, run(1, HOUR, 11 * HOUR), 0, ServiceClass.STANDARD))
                .hasToString("0.82 USD");
    }

    @Test
    void takesOffForALateStart() {
        // a wait of one run time earns a fifth of the discount: 7.20 x (1 - 0.2 x 1/5) = 6.912
        assertThat(price(standard, run(4, 2 * HOUR, 4 * HOUR), 2 * HOUR, ServiceClass.STANDARD))
                .hasToString("6.92 USD");
    }

    @Test
    void takesOffNoMoreAfterFiveDurationsOfWaiting() {
        var terms = run(100, HOUR, 11 * HOUR);

        // 81.8181... x (1 - 0.2 x 4/5), then x (1 - 0.2) from five hours on
        assertThat(price(standard, terms, 4 * HOUR, ServiceClass.STANDARD)).hasToString("68.73 USD");
        assertThat(price(standard, terms, 5 * HOUR, ServiceClass.STANDARD)).hasToString("65.46 USD");
        assertThat(price(standard, terms, 10 * HOUR, ServiceClass.STANDARD)).hasToString("65.46 USD");
    }

    @Test
    void countsTheWaitFromTheReadyTime() {
        long noon = 1_800_000_000;
        var terms = run(4, 2 * HOUR, new Window(noon, noon + 4 * HOUR));

        assertThat(price(standard, terms, noon, ServiceClass.STANDARD)).hasToString("7.20 USD");
        assertThat(price(standard, terms, noon + 2 * HOUR, ServiceClass.STANDARD))
                .hasToString("6.92 USD");
    }

    @Test
    void asksMoreOfPremium() {
        assertThat(price(standard, run(4, 2 * HOUR, 2 * HOUR), 0, ServiceClass.PREMIUM))
                .hasToString("24.00 USD");
        // 3 x 6.912 = 20.736
        assertThat(price(standard, run(4, 2 * HOUR, 4 * HOUR), 2 * HOUR, ServiceClass.PREMIUM))
                .hasToString("20.74 USD");
    }

    @Test
    void roundsUpSoThatNoRunIsFree() {
        // 1, 36 and 37 s are 0.0002..., 0.01 and 0.0102... hours
        assertThat(price(standard, run(1, 1, 1), 0, ServiceClass.STANDARD)).hasToString("0.01 USD");
        assertThat(price(standard, run(1, 36, 36), 0, ServiceClass.STANDARD)).hasToString("0.01 USD");
        assertThat(price(standard, run(1, 37, 37), 0, ServiceClass.STANDARD)).hasToString("0.02 USD");
    }

    @Test
    void roundsOnceAtTheEnd() {
        // 3 x 0.005 = 0.015: if the standard price were rounded first, it would be 3 x 0.01
        assertThat(price(standard, run(1, 18, 18), 0, ServiceClass.PREMIUM)).hasToString("0.02 USD");
        // 96 s are 0.02666... hours, 160 of 256 s are slack: 0.02666... x (1 - 0.625) is exactly a cent
        assertThat(price(tariff("USD", "1", "1", "1", "0", "1"), run(1, 96, 256), 0, ServiceClass.STANDARD))
                .hasToString("0.01 USD");
    }

    @Test
    void keepsTheDecimalsOfItsCurrency() {
        var yen = tariff("JPY", "100", "3", "0.2", "0.2", "5");
        assertThat(price(yen, run(1, 90 * 60, 90 * 60), 0, ServiceClass.STANDARD))
                .hasToString("150 JPY");
        assertThat(price(yen, run(1, 36, 36), 0, ServiceClass.STANDARD)).hasToString("1 JPY");
        assertThat(price(yen, run(1, 37, 37), 0, ServiceClass.STANDARD)).hasToString("2 JPY");

        var dinar = tariff("KWD", "1", "3", "0.2", "0.2", "5");
        assertThat(price(dinar, run(1, 8, 8), 0, ServiceClass.STANDARD)).hasToString("0.003 KWD");
        assertThat(price(dinar, run(1, 9, 9), 0, ServiceClass.STANDARD)).hasToString("0.003 KWD");
    }

    @Test
    void mayChargeNothing() {
        assertThat(price(tariff("USD", "0", "3", "0.2", "0.2", "5"), run(4, HOUR, HOUR), 0, ServiceClass.PREMIUM))
                .hasToString("0.00 USD");
        // a wait of half a run time takes off the whole price
        assertThat(price(
                        tariff("USD", "1", "3", "0", "1", "0.5"),
                        run(4, HOUR, 2 * HOUR),
                        HOUR / 2,
                        ServiceClass.PREMIUM))
                .hasToString("0.00 USD");
    }

    @Test
    void neverAsksMoreForMoreSlackAroundOnePlacement() {
        var random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            var tariff = tariff(random);
            long start = random.nextInt(500);
            long duration = 1 + random.nextInt(500);
            var window = new Window(start - random.nextInt(500), start + duration + random.nextInt(500));
            var wider = new Window(window.readyTime() - random.nextInt(50), window.deadline() + random.nextInt(50));
            int pes = 1 + random.nextInt(100);

            var price = price(tariff, run(pes, duration, window), start, ServiceClass.STANDARD);
            var priceWithMoreSlack = price(tariff, run(pes, duration, wider), start, ServiceClass.STANDARD);

            assertThat(priceWithMoreSlack.exceeds(price))
                    .as(
                            "%s for %s, %s for %s, %d s from %d, %s",
                            price, window, priceWithMoreSlack, wider, duration, start, tariff)
                    .isFalse();
        }
    }

    @Test
    void neverAsksMoreForALaterStart() {
        var random = new Random(2);
        for (int i = 0; i < 20_000; i++) {
            var tariff = tariff(random);
            long duration = 1 + random.nextInt(500);
            var terms = run(1 + random.nextInt(100), duration, duration + 1 + random.nextInt(3_000));
            long start = random.nextLong(terms.flexibility());
            long later = start + 1 + random.nextLong(terms.flexibility() - start);

            var price = price(tariff, terms, start, ServiceClass.STANDARD);
            var priceLater = price(tariff, terms, later, ServiceClass.STANDARD);

            assertThat(priceLater.exceeds(price))
                    .as("%s at %d, %s at %d, %s, %s", price, start, priceLater, later, terms, tariff)
                    .isFalse();
        }
    }

    @Test
    void namesTheFigureThatIsOutOfRange() {
        assertRefused("-0.01", "3", "0.2", "0.2", "5", "The pricePerPeHour (-0.01) must lie between 0 and 1000000.");
        assertRefused("1000000.01", "3", "0.2", "0.2", "5", "The pricePerPeHour (1000000.01)");
        assertRefused("1", "0.99", "0.2", "0.2", "5", "The premiumFactor (0.99) must lie between 1 and 1000.");
        assertRefused("1", "1000.1", "0.2", "0.2", "5", "The premiumFactor (1000.1)");
        assertRefused("1", "3", "-0.1", "0.2", "5", "The flexibilityDiscount (-0.1) must lie between 0 and 1.");
        assertRefused("1", "3", "1.1", "0.2", "5", "The flexibilityDiscount (1.1)");
        assertRefused("1", "3", "0.2", "-0.1", "5", "The latenessDiscount (-0.1) must lie between 0 and 1.");
        assertRefused("1", "3", "0.2", "1.1", "5", "The latenessDiscount (1.1)");
        assertRefused("1", "3", "0.2", "0.2", "0", "The latenessScale (0) must lie between 0.01 and 1000.");
        assertRefused("1", "3", "0.2", "0.2", "1001", "The latenessScale (1001)");
    }

    @Test
    void mayReachTheBoundsOfItsFigures() {
        assertThat(tariff("USD", "0", "1", "0", "0", "0.01")).isNotNull();
        assertThat(tariff("USD", "1000000", "1000", "1", "1", "1000")).isNotNull();
    }

    @Test
    void hasAPriceForTheMostExpensiveRun() {
        var dearest = tariff("USD", "1000000", "1000", "0", "0", "1");
        long tenYears = 87_600 * HOUR;

        assertThat(price(dearest, run(10_000_000, tenYears, tenYears), 0, ServiceClass.PREMIUM))
                .hasToString("876000000000000000000.00 USD");
    }

    @Test
    void hasAtMostSixDecimalsInAFigure() {
        assertRefused("0.0000001", "3", "0.2", "0.2", "5", "The pricePerPeHour (1E-7) must have at most 6 decimals.");
        assertThat(tariff("USD", "1.2500000", "3", "0.2", "0.2", "5"))
                .isEqualTo(tariff("USD", "1.25", "3.0", "0.20", "0.2", "5"));
    }

    @Test
    void needsACurrencyWithAMinorUnit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tariff("XAU", "1", "3", "0.2", "0.2", "5"))
                .withMessage("The currency (XAU) must have a minor unit.");
    }

    private static void assertRefused(
            String price, String premium, String flexibility, String lateness, String scale, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tariff("USD", price, premium, flexibility, lateness, scale))
                .withMessageStartingWith(message);
    }

    private static Tariff tariff(
            String currency, String price, String premium, String flexibility, String lateness, String scale) {
        return Tariff.STANDARD
                .with("currency", Currency.getInstance(currency))
                .with("pricePerPeHour", new BigDecimal(price))
                .with("premiumFactor", new BigDecimal(premium))
                .with("flexibilityDiscount", new BigDecimal(flexibility))
                .with("latenessDiscount", new BigDecimal(lateness))
                .with("latenessScale", new BigDecimal(scale));
    }

    private static Tariff tariff(Random random) {
        return Tariff.STANDARD
                .with("currency", Currency.getInstance("KWD"))
                .with("pricePerPeHour", BigDecimal.valueOf(random.nextInt(1_000_000), 3))
                .with("premiumFactor", BigDecimal.ONE)
                .with("flexibilityDiscount", BigDecimal.valueOf(random.nextInt(101), 2))
                .with("latenessDiscount", BigDecimal.valueOf(random.nextInt(101), 2))
                .with("latenessScale", BigDecimal.valueOf(1 + random.nextInt(1_000), 2))
                .with("renegotiationSurcharge", BigDecimal.valueOf(random.nextInt(200), 2))
                .with("breachCredit", BigDecimal.valueOf(random.nextInt(200), 2));
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
}
