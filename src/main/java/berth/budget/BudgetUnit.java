package berth.budget;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;
import java.util.Optional;

/** What a project's budget is kept in. Amounts in it are exact: minor units of a currency, or PE-seconds. */
public sealed interface BudgetUnit {

    /** Money of one currency. */
    record InMoney(Currency currency) implements BudgetUnit {}

    /** PE-hours, kept as PE-seconds. */
    record InPeHours() implements BudgetUnit {}

    /** PE-hours. */
    BudgetUnit PE_HOURS = new InPeHours();

    /** The currency's code, or {@code PE_HOURS}. */
    default String code() {
        return money().map(Currency::getCurrencyCode).orElse("PE_HOURS");
    }

    /** The unit of that code. */
    static BudgetUnit of(String code) {
        return code.equals("PE_HOURS") ? PE_HOURS : new InMoney(Currency.getInstance(code));
    }

    /** What a quantity is in this unit: of money in another currency, nothing. */
    default BigDecimal of(Quantity quantity) {
        return switch (this) {
            case InMoney(var currency) ->
                quantity.money().currency().equals(currency) ? quantity.money().amount() : BigDecimal.ZERO;
            case InPeHours() -> BigDecimal.valueOf(quantity.peSeconds());
        };
    }

    /** Whether what is charged in that currency can be paid from a budget of this unit. */
    default boolean pays(Currency other) {
        return switch (this) {
            case InMoney(var currency) -> currency.equals(other);
            case InPeHours() -> true;
        };
    }

    /** The currency; empty for PE-hours. */
    default Optional<Currency> money() {
        return this instanceof InMoney(var currency) ? Optional.of(currency) : Optional.empty();
    }

    /** An amount as people write it: with the decimals of the currency, or in PE-hours with four decimals at the most. */
    default BigDecimal shown(BigDecimal amount) {
        return switch (this) {
            case InMoney(var currency) -> amount.setScale(currency.getDefaultFractionDigits(), RoundingMode.HALF_UP);
            case InPeHours() -> {
                var hours = amount.divide(BigDecimal.valueOf(3600), 4, RoundingMode.HALF_UP)
                        .stripTrailingZeros();
                yield hours.setScale(Math.max(0, hours.scale()));
            }
        };
    }

    /** An amount with its unit. */
    default String text(BigDecimal amount) {
        return shown(amount).toPlainString()
                + money().map(currency -> " " + currency).orElse(" PE-hours");
    }
}
