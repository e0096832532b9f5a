package berth.reservation;

import berth.sla.Money;
import java.util.Optional;

/**
 * What a reservation owes and is owed.
 *
 * @param price what it owes: the agreed price, and nothing once it ended before it began, or failed
 * @param credit what the provider owes for a breach; empty if there was none
 */
public record Charge(Money price, Optional<Money> credit) {

    /** The agreed price. */
    public static Charge of(Money price) {
        return new Charge(price, Optional.empty());
    }

    /** Nothing is owed. */
    Charge waived() {
        return of(price.none());
    }

    /** Nothing is owed, and this is credited. */
    Charge credited(Money credit) {
        return new Charge(price.none(), Optional.of(credit));
    }
}
