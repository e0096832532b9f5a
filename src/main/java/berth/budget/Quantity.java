package berth.budget;

import berth.sla.Money;

/**
 * An amount in money and in PE-seconds: which of them counts is for the budget to say.
 *
 * @param peSeconds not negative
 */
public record Quantity(Money money, long peSeconds) {

    /** Neither money nor PE-seconds. */
    public boolean isNothing() {
        return money.amount().signum() == 0 && peSeconds == 0;
    }

    Quantity none() {
        return new Quantity(money.none(), 0);
    }
}
