package berth.reports;

import berth.budget.BudgetUnit;
import berth.http.MoneyBody;
import berth.http.SignedMoneyBody;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The money that reservations owe and are owed, by currency. */
final class Amounts {

    private static final Comparator<Currency> BY_CODE = Comparator.comparing(Currency::getCurrencyCode);

    private final Map<Currency, BigDecimal> prices = new TreeMap<>(BY_CODE);
    private final Map<Currency, BigDecimal> credits = new TreeMap<>(BY_CODE);

    void add(Currency currency, BigDecimal price, BigDecimal credit) {
        prices.merge(currency, price, BigDecimal::add);
        if (credit.signum() != 0) {
            credits.merge(currency, credit, BigDecimal::add);
        }
    }

    SortedSet<Currency> currencies() {
        var all = new TreeSet<>(BY_CODE);
        all.addAll(prices.keySet());
        return all;
    }

    /** Returns the prices in a currency, less what was credited for returned time. */
    String revenue(Currency currency) {
        return text(prices, currency);
    }

    String credit(Currency currency) {
        return text(credits, currency);
    }

    private static String text(Map<Currency, BigDecimal> sums, Currency currency) {
        return SignedMoneyBody.of(sums.getOrDefault(currency, BigDecimal.ZERO), currency)
                .amount();
    }

    List<SignedMoneyBody> revenue() {
        return prices.entrySet().stream()
                .map(sum -> SignedMoneyBody.of(sum.getValue(), sum.getKey()))
                .toList();
    }

    List<MoneyBody> credits() {
        return credits.keySet().stream()
                .map(currency -> new MoneyBody(credit(currency), currency.getCurrencyCode()))
                .toList();
    }

    /** Returns the amount in a currency of sums with one for each currency. */
    static String amount(List<MoneyBody> sums, String currency) {
        return sums.stream()
                .filter(sum -> currency.equals(sum.currency()))
                .findAny()
                .flatMap(sum -> Optional.ofNullable(sum.amount()))
                .orElse("0");
    }

    /** Returns PE-hours, with at most four decimals. */
    static BigDecimal hours(long peSeconds) {
        return BudgetUnit.PE_HOURS.shown(BigDecimal.valueOf(peSeconds));
    }

    /** Returns a share to six decimals; null if there is nothing to have a share of. */
    static @Nullable Double share(long some, long all) {
        return all == 0
                ? null
                : BigDecimal.valueOf(some)
                        .divide(BigDecimal.valueOf(all), 6, RoundingMode.HALF_UP)
                        .doubleValue();
    }
}
