package berth.budget;

import berth.sla.Money;

/**
 * An amount in money and in PE-seconds. The budget decides which of the two counts.
 *
 * @param peSeconds not negative
 */
public record Quantity(Money money, long peSeconds) {

    /** Whether both amounts are zero. */
    public boolean isNothing() {
        return money.amount().signum() == 0 && peSeconds == 0;
    }

    Quantity none() {
        return new Quantity(money.none(), 0);
    }
}
