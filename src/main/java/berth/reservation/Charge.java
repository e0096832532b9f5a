package berth.reservation;

import berth.sla.Money;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * The amounts that a reservation owes and is credited.
 *
 * @param price the amount owed: the agreed price, a share of it after a late cancellation, or zero if the reservation failed or ended
 *     before its start in another way
 * @param credit what the provider owes for a breach, or for PEs that a run lost; empty if there was none
 * @param late the share of the agreed price owed after a late cancellation, more than 0; empty if there was none
 * @param least what it owes at least, however its owner ends it, because the owner changed it when a cancellation was late; empty if the
 *     owner did not
 * @param returned the PE-time that its owner returned while it ran; empty if the owner returned none
 */
public record Charge(
        Money price,
        Optional<Money> credit,
        Optional<BigDecimal> late,
        Optional<Quantity> least,
        Optional<Returned> returned) {

    /** Creates the charge of a reservation whose owner returned nothing. */
    public Charge(Money price, Optional<Money> credit, Optional<BigDecimal> late, Optional<Quantity> least) {
        this(price, credit, late, least, Optional.empty());
    }

    /** Returns a charge of the agreed price. */
    public static Charge of(Money price) {
        return new Charge(price, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns the charge after a change of the price. */
    public Charge agreed(Money other) {
        return new Charge(other, credit, late, least, returned);
    }

    /** Returns the agreed price of the present parts: the price without what is still owed for time that was returned before. */
    public Money ofParts() {
        return returned.map(back ->
                        price.plus(back.credited().money()).less(back.agreed().money()))
                .orElse(price);
    }

    /** Returns the charge after the agreed price of the present parts has changed. */
    public Charge ofParts(Money other) {
        return returned.map(back -> agreed(
                        other.plus(back.agreed().money()).less(back.credited().money())))
                .orElseGet(() -> agreed(other));
    }

    /**
     * Returns the charge after the owner has returned PE-time.
     *
     * @param agreed the agreed price and the PE-seconds of the returned time that is no longer among the parts
     * @param credited what is taken off for the returned time
     * @param rest the returned time of which a rest may be credited later
     */
    public Charge returning(Quantity agreed, Quantity credited, Optional<OpenReturn> rest) {
        var all = returned.orElseGet(() -> Returned.nothing(agreed.none())).and(agreed, credited, rest);
        return new Charge(price.less(credited.money()), credit, late, least, Optional.of(all));
    }

    /** Returns the charge after more of the price of returned time was credited. */
    Charge crediting(Quantity more, List<OpenReturn> left) {
        var all = returned.orElseThrow().crediting(more, left);
        return new Charge(price.less(more.money()), credit, late, least, Optional.of(all));
    }

    /** Returns the returned time of which a rest may still be credited. */
    public List<OpenReturn> openReturns() {
        return returned.map(Returned::open).orElse(List.of());
    }

    /** Returns the charge of a reservation that owes at least this much from now on. */
    public Charge atLeast(Quantity due) {
        return new Charge(
                price, credit, late, Optional.of(least.map(due::orMore).orElse(due)), returned);
    }

    /** Returns a charge of zero. */
    Charge waived() {
        return of(price.none());
    }

    /** Returns the charge once what it owes is final. */
    Charge whenFinal() {
        return agreed(owed(0).money());
    }

    /**
     * Returns what it owes if the agreed price is due.
     *
     * @param work the PE-seconds of its parts
     */
    public Quantity owed(long work) {
        long back = returned.map(
                        each -> each.agreed().peSeconds() - each.credited().peSeconds())
                .orElse(0L);
        var agreed = new Quantity(price, Math.max(0, work + back));
        return least.map(agreed::orMore).orElse(agreed);
    }

    /** Returns the charge after a cancellation that costs a share of the agreed price; a share of 0 costs nothing. */
    Charge late(BigDecimal share) {
        var due = new Quantity(price, 0).share(share).money();
        return new Charge(due, Optional.empty(), Optional.of(share).filter(each -> each.signum() > 0), least)
                .whenFinal();
    }

    /**
     * Returns the charge of a run that lost PEs, once what it owes is final: the price and the least of the PE-seconds that it owes.
     *
     * @param owed the PE-seconds that it owes
     * @param work the PE-seconds that were agreed
     * @param credit what the provider owes for those that were lost
     */
    Charge reduced(long owed, long work, Money credit) {
        var whole = whenFinal();
        var rest = new Charge(
                whole.price,
                Optional.of(credit).filter(money -> money.amount().signum() > 0),
                late,
                least.map(due -> due.share(owed, work)),
                returned);
        return rest.ofParts(new Quantity(whole.ofParts(), 0).share(owed, work).money())
                .whenFinal();
    }

    /** Returns a charge of zero with a credit. */
    Charge credited(Money credit) {
        return new Charge(price.none(), Optional.of(credit), Optional.empty(), Optional.empty());
    }
}
