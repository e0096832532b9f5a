package berth.reservation;

import berth.sla.Money;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What a reservation owes and is credited.
 *
 * @param price the amount owed: the agreed price, a share of it after a late cancellation, or zero if the reservation failed or ended
 *     before its start in another way
 * @param credit what the provider owes for a breach, or for PEs that a run lost; empty if there was none
 * @param late the share of the agreed price owed after a late cancellation, more than 0; empty if there was none
 * @param least what it owes at least, however its owner ends it, because the owner changed it when a cancellation was late; empty if the
 *     owner did not
 */
public record Charge(Money price, Optional<Money> credit, Optional<BigDecimal> late, Optional<Quantity> least) {

    /** Returns a charge of the agreed price. */
    public static Charge of(Money price) {
        return new Charge(price, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns the charge after a change of the price. */
    Charge agreed(Money other) {
        return new Charge(other, credit, late, least);
    }

    /** Returns the charge of a reservation that owes at least this much from now on. */
    Charge atLeast(Quantity due) {
        return new Charge(
                price, credit, late, Optional.of(least.map(due::orMore).orElse(due)));
    }

    /** Returns a charge of zero. */
    Charge waived() {
        return of(price.none());
    }

    /** Returns the charge once what it owes is final. */
    Charge settled() {
        return agreed(owed(0).money());
    }

    /**
     * Returns what it owes if the agreed price is due.
     *
     * @param work the PE-seconds of the reservation
     */
    public Quantity owed(long work) {
        var agreed = new Quantity(price, work);
        return least.map(agreed::orMore).orElse(agreed);
    }

    /** Returns the charge after a cancellation that costs a share of the agreed price; a share of 0 costs nothing. */
    Charge late(BigDecimal share) {
        var due = new Quantity(price, 0).share(share).money();
        return new Charge(due, Optional.empty(), Optional.of(share).filter(each -> each.signum() > 0), least).settled();
    }

    /**
     * Returns the charge of a run that lost PEs, once what it owes is final: the price and the least of the PE-seconds that it owes.
     *
     * @param owed the PE-seconds that it owes
     * @param work the PE-seconds that were agreed
     * @param credit what the provider owes for those that were lost
     */
    Charge reduced(long owed, long work, Money credit) {
        return new Charge(
                new Quantity(settled().price, 0).share(owed, work).money(),
                Optional.of(credit).filter(money -> money.amount().signum() > 0),
                late,
                least.map(due -> due.share(owed, work)));
    }

    /** Returns a charge of zero with a credit. */
    Charge credited(Money credit) {
        return new Charge(price.none(), Optional.of(credit), Optional.empty(), Optional.empty());
    }
}
