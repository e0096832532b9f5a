package berth.http;

import berth.budget.BudgetUnit;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.Currency;

/**
 * Money that may be less than 0.
 *
 * @param amount with the decimals of the currency
 * @param currency an ISO 4217 code
 */
@Schema(name = "SignedMoney")
public record SignedMoneyBody(String amount, String currency) {

    public static SignedMoneyBody of(BigDecimal amount, Currency currency) {
        return new SignedMoneyBody(
                new BudgetUnit.InMoney(currency).shown(amount).toPlainString(), currency.getCurrencyCode());
    }
}
