package berth.reservation;

import berth.sla.Money;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What a reservation owes and is credited.
 *
 * @param price the amount owed: the agreed price, a share of it after a late cancellation, or zero if the reservation failed or ended
 *     before its start in another way
 * @param credit what the provider owes for a breach; empty if there was none
 * @param late the share of the agreed price owed after a late cancellation, more than 0; empty if there was none
 */
public record Charge(Money price, Optional<Money> credit, Optional<BigDecimal> late) {

    /** Creates a charge without a late cancellation. */
    public Charge(Money price, Optional<Money> credit) {
        this(price, credit, Optional.empty());
    }

    /** Returns a charge of the agreed price. */
    public static Charge of(Money price) {
        return new Charge(price, Optional.empty());
    }

    /** Returns a charge of zero. */
    Charge waived() {
        return of(price.none());
    }

    /** Returns the charge after a cancellation that costs a share of the agreed price; a share of 0 costs nothing. */
    Charge late(BigDecimal share) {
        return share.signum() == 0
                ? waived()
                : new Charge(
                        Money.roundedUp(price.amount().multiply(share), BigDecimal.ONE, price.currency()),
                        Optional.empty(),
                        Optional.of(share));
    }

    /** Returns a charge of zero with a credit. */
    Charge credited(Money credit) {
        return new Charge(price.none(), Optional.of(credit));
    }
}
