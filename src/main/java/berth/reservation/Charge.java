package berth.reservation;

import berth.sla.Money;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What a reservation owes and is owed.
 *
 * @param price what it owes: the agreed price; a share of it once it was given up late; and nothing once it ended before it began otherwise, or
 *     failed
 * @param credit what the provider owes for a breach; empty if there was none
 * @param late the share of the agreed price that it owes since it was given up late, more than 0; empty if it was not
 */
public record Charge(Money price, Optional<Money> credit, Optional<BigDecimal> late) {

    /** It was not given up late. */
    public Charge(Money price, Optional<Money> credit) {
        this(price, credit, Optional.empty());
    }

    /** The agreed price. */
    public static Charge of(Money price) {
        return new Charge(price, Optional.empty());
    }

    /** Nothing is owed. */
    Charge waived() {
        return of(price.none());
    }

    /** It was given up late: a share of the agreed price is owed, or nothing if that is 0. */
    Charge late(BigDecimal share) {
        return share.signum() == 0
                ? waived()
                : new Charge(
                        Money.rounded(price.amount().multiply(share), BigDecimal.ONE, price.currency()),
                        Optional.empty(),
                        Optional.of(share));
    }

    /** Nothing is owed, and this is credited. */
    Charge credited(Money credit) {
        return new Charge(price.none(), Optional.of(credit));
    }
}
