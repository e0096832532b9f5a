package berth.rest;

import berth.sla.Money;
import org.jspecify.annotations.Nullable;

/**
 * An amount of money. The amount is a string, so that no client rounds it.
 *
 * @param amount amount with at most as many decimals as the currency has; in a request, with at most 15 digits before the point
 * @param currency an ISO 4217 code
 */
record MoneyBody(
        @Required @Nullable String amount,
        @Required @Nullable String currency) {

    static MoneyBody of(Money money) {
        return new MoneyBody(money.amount().toPlainString(), money.currency().getCurrencyCode());
    }
}
