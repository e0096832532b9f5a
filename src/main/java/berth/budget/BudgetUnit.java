package berth.budget;

import berth.reservation.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;
import java.util.Optional;

/** The unit of a project's budget. Amounts are exact: minor units of a currency, or PE-seconds. */
public sealed interface BudgetUnit {

    /** Money in one currency. */
    record InMoney(Currency currency) implements BudgetUnit {}

    /** PE-hours, stored as PE-seconds. */
    record InPeHours() implements BudgetUnit {}

    /** PE-hours. */
    BudgetUnit PE_HOURS = new InPeHours();

    /** Returns the code of the currency, or {@code PE_HOURS}. */
    default String code() {
        return money().map(Currency::getCurrencyCode).orElse("PE_HOURS");
    }

    /** Returns the unit with that code. */
    static BudgetUnit of(String code) {
        return code.equals("PE_HOURS") ? PE_HOURS : new InMoney(Currency.getInstance(code));
    }

    /** Converts a quantity into this unit; 0 if the quantity is money in another currency. */
    default BigDecimal of(Quantity quantity) {
        return switch (this) {
            case InMoney(var currency) ->
                quantity.money().currency().equals(currency) ? quantity.money().amount() : BigDecimal.ZERO;
            case InPeHours() -> BigDecimal.valueOf(quantity.peSeconds());
        };
    }

    /** Whether a budget in this unit can pay charges in that currency. */
    default boolean pays(Currency other) {
        return switch (this) {
            case InMoney(var currency) -> currency.equals(other);
            case InPeHours() -> true;
        };
    }

    /** Returns the currency; empty for PE-hours. */
    default Optional<Currency> money() {
        return this instanceof InMoney(var currency) ? Optional.of(currency) : Optional.empty();
    }

    /** Returns the amount as people write it: with the decimals of the currency, or in PE-hours with at most four decimals. */
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

    /** Returns the amount with its unit. */
    default String text(BigDecimal amount) {
        return shown(amount).toPlainString()
                + money().map(currency -> " " + currency).orElse(" PE-hours");
    }
}
