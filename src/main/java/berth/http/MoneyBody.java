package berth.http;

import berth.sla.Money;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * An amount of money. The amount is a string, so that no client rounds it. In a request it may also be a number, which is taken exactly as
 * it is written.
 *
 * @param amount amount with at most as many decimals as the currency has; in a request, with at most 15 digits before the point
 * @param currency an ISO 4217 code
 */
public record MoneyBody(
        @JsonDeserialize(using = NumberOrText.class) @Required @Nullable
        String amount,

        @Required @Nullable String currency) {

    public static MoneyBody of(Money money) {
        return new MoneyBody(money.amount().toPlainString(), money.currency().getCurrencyCode());
    }

    /** Returns the sums of amounts, one for each currency. */
    public static List<MoneyBody> sums(Stream<Money> amounts) {
        var sums = new TreeMap<String, Money>();
        amounts.forEach(amount -> sums.merge(amount.currency().getCurrencyCode(), amount, Money::plus));
        return sums.values().stream().map(MoneyBody::of).toList();
    }
}
