package berth.projects.web;

import berth.budget.BudgetUnit;
import berth.http.Fields;
import berth.http.MoneyBody;
import berth.http.NumberOrText;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * An amount of a budget: either money or PE-hours.
 *
 * @param amount amount of money with the decimals of its currency; less than 0 if more was spent than was available
 * @param currency an ISO 4217 code
 * @param peHours number of PE-hours; in a request, with at most two decimals
 */
@Schema(name = "BudgetAmount", example = "{\"amount\":\"1250.00\",\"currency\":\"USD\"}")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AmountBody(
        @JsonDeserialize(using = NumberOrText.class) @Nullable
        String amount,

        @Nullable String currency,
        @Nullable BigDecimal peHours) {

    static final AmountBody STAND_IN = new AmountBody(null, null, BigDecimal.ONE);

    private static final BigDecimal MAX_PE_HOURS = new BigDecimal("1000000000000");

    private static final int HOURS_DECIMALS = 2;

    /** An amount and its unit, as read from a request. */
    record Amount(BudgetUnit unit, BigDecimal value) {}

    public static AmountBody of(BudgetUnit unit, BigDecimal amount) {
        var shown = unit.shown(amount);
        return unit.money()
                .map(currency -> new AmountBody(shown.toPlainString(), currency.getCurrencyCode(), null))
                .orElseGet(() -> new AmountBody(null, null, shown));
    }

    /** Reads an amount of a request, which must not be negative. Adds every error to {@code fields}. */
    static Amount read(Fields fields, String field, AmountBody given) {
        if (given.peHours == null) {
            return fields.money(field, new MoneyBody(given.amount, given.currency))
                    .map(money -> new Amount(new BudgetUnit.InMoney(money.currency()), money.amount()))
                    .orElseGet(() -> new Amount(BudgetUnit.PE_HOURS, BigDecimal.ONE));
        }
        if (given.amount != null || given.currency != null) {
            fields.malformed(field, null, "must be either money or peHours, not both");
        }
        var hours = given.peHours;
        if (hours.signum() < 0
                || hours.compareTo(MAX_PE_HOURS) > 0
                || hours.stripTrailingZeros().scale() > HOURS_DECIMALS) {
            fields.malformed(
                    field + ".peHours",
                    hours,
                    "must be a number from 0 to %s with at most two decimals".formatted(MAX_PE_HOURS));
            return new Amount(BudgetUnit.PE_HOURS, BigDecimal.ONE);
        }
        return new Amount(
                BudgetUnit.PE_HOURS, hours.multiply(BigDecimal.valueOf(3600)).setScale(0));
    }
}
