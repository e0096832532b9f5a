package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.util.Currency;
import org.junit.jupiter.api.Test;

class MoneyTest {

    @Test
    void hasTheDecimalsOfItsCurrency() {
        assertThat(money("12.5", "USD")).hasToString("12.50 USD");
        assertThat(money("12", "JPY")).hasToString("12 JPY");
        assertThat(money("12.5", "KWD")).hasToString("12.500 KWD");
        assertThat(money("1E+3", "JPY")).hasToString("1000 JPY");
    }

    @Test
    void isEqualForAmountsOfEqualValue() {
        assertThat(money("12.5", "USD"))
                .isEqualTo(money("12.5000", "USD"))
                .hasSameHashCodeAs(money("12.5000", "USD"))
                .isNotEqualTo(money("12.5", "EUR"))
                .isNotEqualTo(money("12.51", "USD"));
        assertThat(money("0.00000", "USD")).isEqualTo(money("0", "USD"));
    }

    @Test
    void isNeverFinerThanTheMinorUnit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> money("0.001", "USD"))
                .withMessage("An amount in USD has at most 2 decimals.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> money("0.5", "JPY"))
                .withMessage("An amount in JPY has at most 0 decimals.");
    }

    @Test
    void isNeverNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> money("-0.01", "USD"))
                .withMessage("An amount must not be negative.");
    }

    @Test
    void hasAtMostThirtyFourDigitsBeforeThePoint() {
        var most = "9".repeat(34);
        assertThat(money(most + ".99", "USD")).hasToString(most + ".99 USD");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> money("1" + "0".repeat(34), "USD"))
                .withMessage("An amount has at most 34 digits before the point.");
        assertThatIllegalArgumentException().isThrownBy(() -> money("1E+34", "JPY"));
        assertThatIllegalArgumentException().isThrownBy(() -> money("1E+2000000000", "USD"));
    }

    @Test
    void isAddedInOneCurrencyUpToTheLargestAmount() {
        assertThat(money("12.5", "USD").plus(money("0.75", "USD"))).isEqualTo(money("13.25", "USD"));
        var most = money("9".repeat(34), "JPY");
        assertThat(most.plus(money("1", "JPY"))).isEqualTo(most);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> most.plus(money("1", "USD")))
                .withMessageContaining("cannot be added");
    }

    @Test
    void needsACurrencyWithAMinorUnit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> money("1", "XAU"))
                .withMessage("The currency XAU has no minor unit.");
    }

    @Test
    void roundsQuotientsUpToTheMinorUnit() {
        assertThat(rounded("1", "2000", "USD")).hasToString("0.01 USD");
        assertThat(rounded("1", "100", "USD")).hasToString("0.01 USD");
        assertThat(rounded("3", "200", "USD")).hasToString("0.02 USD");
        assertThat(rounded("2", "3", "USD")).hasToString("0.67 USD");
        assertThat(rounded("5", "2", "JPY")).hasToString("3 JPY");
        assertThat(rounded("7", "3", "JPY")).hasToString("3 JPY");
        assertThat(rounded("1", "400", "KWD")).hasToString("0.003 KWD");
    }

    @Test
    void aTooLargeQuotientBecomesTheLargestAmount() {
        var most = "9".repeat(34);

        assertThat(rounded(most + "9", "10", "USD")).hasToString(most + ".00 USD");
        assertThat(rounded("1E+40", "3", "JPY")).hasToString(most + " JPY");
        assertThat(rounded(most, "1", "USD")).hasToString(most + ".00 USD");
    }

    @Test
    void exceedsOnlySmallerAmounts() {
        assertThat(money("12.51", "USD").exceeds(money("12.50", "USD"))).isTrue();
        assertThat(money("12.50", "USD").exceeds(money("12.5", "USD"))).isFalse();
        assertThat(money("12.49", "USD").exceeds(money("12.50", "USD"))).isFalse();
    }

    @Test
    void isNotComparedWithAnotherCurrency() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> money("1", "USD").exceeds(money("2", "EUR")))
                .withMessage("USD and EUR cannot be compared.");
    }

    @Test
    void hasAZeroInItsCurrency() {
        assertThat(money("12", "JPY").none()).isEqualTo(money("0", "JPY")).hasToString("0 JPY");
    }

    private static Money money(String amount, String currency) {
        return new Money(new BigDecimal(amount), Currency.getInstance(currency));
    }

    private static Money rounded(String dividend, String divisor, String currency) {
        return Money.roundedUp(new BigDecimal(dividend), new BigDecimal(divisor), Currency.getInstance(currency));
    }
}
