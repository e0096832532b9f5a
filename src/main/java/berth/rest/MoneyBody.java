package berth.rest;

import berth.sla.Money;
import org.jspecify.annotations.Nullable;

/** Money as the contract writes it: the amount is a string, so that no reader rounds it. */
record MoneyBody(@Nullable String amount, @Nullable String currency) {

    static MoneyBody of(Money money) {
        return new MoneyBody(money.amount().toPlainString(), money.currency().getCurrencyCode());
    }
}
