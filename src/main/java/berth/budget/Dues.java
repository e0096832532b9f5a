package berth.budget;

import berth.reservation.Charge;
import berth.reservation.Quantity;
import berth.reservation.Reservation;
import berth.sla.Money;
import java.math.BigDecimal;

/**
 * The amounts that a reservation takes from a budget in its present state. It depends only on the reservation, so holds and charges follow from the
 * reservation's events.
 *
 * @param held the agreed price and the reserved PE-seconds, while the reservation is live
 * @param charged what is owed once the reservation has ended
 * @param credited what the provider owes for a breach or lost PEs; it has no PE-seconds, because those are not charged
 */
public record Dues(Quantity held, Quantity charged, Quantity credited) {

    /** Returns the dues of a reservation. */
    public static Dues of(Reservation reservation) {
        var charge = reservation.charge();
        long work = reservation.placement().work();
        var owed = charge.owed(reservation.state().isLive() ? work : reservation.workOwed());
        var none = owed.none();
        var credited = new Quantity(charge.credit().orElse(none.money()), 0);
        return switch (reservation.state()) {
            case HELD, PENDING, CONFIRMED, RUNNING -> new Dues(owed, none, none);
            case COMPLETED -> new Dues(none, owed, credited);
            case CANCELLED ->
                new Dues(none, reservation.isOwedInFull() ? owed : charge.owed(late(charge, work)), credited);
            case EXPIRED -> new Dues(none, none, none);
            case FAILED -> new Dues(none, none, credited);
        };
    }

    /** Returns the dues before a reservation exists, which are zero in the currency of {@code price}. */
    public static Dues none(Money price) {
        var none = new Quantity(price.none(), 0);
        return new Dues(none, none, none);
    }

    /** Whether this takes more than {@code other}, in money or in PE-seconds. Amounts in two currencies cannot be compared; they are more. */
    boolean isMoreThan(Dues other) {
        var now = held.money().plus(charged.money());
        var then = other.held.money().plus(other.charged.money());
        boolean costsMore = now.currency().equals(then.currency())
                ? now.exceeds(then)
                : now.amount().signum() > 0;
        return costsMore || held.peSeconds() + charged.peSeconds() > other.held.peSeconds() + other.charged.peSeconds();
    }

    private static long late(Charge charge, long work) {
        return new Quantity(charge.price(), work)
                .share(charge.late().orElse(BigDecimal.ZERO))
                .peSeconds();
    }

    /** Returns the amount that counts against a budget in that unit. A credit is money that the provider owes; it cannot be reserved with. */
    public BigDecimal taken(BudgetUnit unit) {
        return unit.of(held).add(unit.of(charged));
    }
}
