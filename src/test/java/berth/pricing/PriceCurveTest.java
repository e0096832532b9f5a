package berth.pricing;

import static org.assertj.core.api.Assertions.assertThat;

import berth.sla.Money;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PriceCurveTest {

    private static final long HOUR = 3600;

    private static PriceCurve curve(OptionalLong scale, String discount, long runTime, int pes) {
        var like = Tariff.STANDARD;
        return new PriceCurve(
                like.with("flexibilityDiscount", new BigDecimal(discount)).with("flexibilityScale", scale),
                runTime,
                pes,
                ServiceClass.STANDARD);
    }

    private static Money usd(String amount) {
        return new Money(new BigDecimal(amount), Currency.getInstance("USD"));
    }

    @Test
    void asMuchSlackAsTheRunTimeEarnsHalfWithoutAScale() {
        var curve = curve(OptionalLong.empty(), "0.2", HOUR, 8);

        assertThat(curve.at(0)).isEqualTo(usd("8.00"));
        assertThat(curve.at(HOUR)).isEqualTo(usd("7.20"));
        assertThat(curve.at(10 * HOUR)).isEqualTo(usd("6.55"));
        assertThat(curve.at(75 * 24 * HOUR)).isEqualTo(usd("6.41"));
    }

    @Test
    void asMuchSlackAsTheScaleEarnsHalf() {
        var curve = curve(OptionalLong.of(24 * HOUR), "0.2", HOUR, 8);

        assertThat(curve.at(HOUR)).isEqualTo(usd("7.94"));
        assertThat(curve.at(24 * HOUR)).isEqualTo(usd("7.20"));
        assertThat(curve.at(72 * HOUR)).isEqualTo(usd("6.80"));
    }

    @Test
    void theScaleIsTheSameForLongRuns() {
        assertThat(curve(OptionalLong.of(6 * HOUR), "0.5", 100 * HOUR, 1).at(6 * HOUR))
                .isEqualTo(usd("75.00"));
    }

    @Test
    void moreSlackNeverCostsMore() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            var scale = random.nextBoolean() ? OptionalLong.of(1 + random.nextInt(200_000)) : OptionalLong.empty();
            var curve = curve(scale, "0." + random.nextInt(10), 1 + random.nextInt(100_000), 1 + random.nextInt(500));
            var prices = curve.slacks(1 + random.nextInt(10_000_000)).stream()
                    .map(slack -> curve.at(slack).amount().negate())
                    .toList();

            assertThat(prices).as("seed %d", seed).isSorted();
        }
    }

    @Test
    void theSlacksShowTheWholeCurve() {
        assertThat(curve(OptionalLong.of(40), "0.2", 100, 1).slacks(100))
                .isEqualTo(List.of(0L, 10L, 20L, 40L, 80L, 100L));
        assertThat(curve(OptionalLong.of(1), "0.2", 100, 1).slacks(315_360_000)).hasSizeLessThanOrEqualTo(34);
        assertThat(curve(OptionalLong.of(1), "0.2", 100, 1).slacks(0)).isEqualTo(List.of(0L));
    }
}
