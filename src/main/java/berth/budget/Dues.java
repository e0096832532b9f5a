package berth.budget;

import berth.reservation.Reservation;
import berth.sla.Money;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * What a reservation takes of a budget, as it stands: a function of the reservation alone, so that what is held and charged follows from
 * its events.
 *
 * @param held while it is live: the agreed price, and the PE-seconds that it has reserved
 * @param charged once it has ended: what is owed
 * @param credited what the provider owes for a breach; no PE-seconds, since what failed costs none
 */
public record Dues(Quantity held, Quantity charged, Quantity credited) {

    /** What a reservation takes. */
    public static Dues of(Reservation reservation) {
        var charge = reservation.charge();
        long work = reservation.placement().work();
        var owed = new Quantity(charge.price(), work);
        var none = owed.none();
        boolean hasBegun = reservation.placement().begun() > 0;
        return switch (reservation.state()) {
            case HELD, CONFIRMED, RUNNING -> new Dues(owed, none, none);
            case COMPLETED -> new Dues(none, owed, none);
            case CANCELLED ->
                new Dues(
                        none,
                        hasBegun
                                ? owed
                                : new Quantity(
                                        charge.price(),
                                        share(work, charge.late().orElse(BigDecimal.ZERO))),
                        none);
            case EXPIRED -> new Dues(none, none, none);
            case FAILED -> new Dues(none, none, new Quantity(charge.credit().orElseGet(charge.price()::none), 0));
        };
    }

    /** What a reservation takes that was not there before: nothing. */
    public static Dues none(Money price) {
        var none = new Quantity(price.none(), 0);
        return new Dues(none, none, none);
    }

    private static long share(long work, BigDecimal share) {
        return share.multiply(BigDecimal.valueOf(work))
                .setScale(0, RoundingMode.HALF_UP)
                .longValueExact();
    }

    /** What of a budget in that unit it takes away. */
    public BigDecimal taken(BudgetUnit unit) {
        return unit.of(held).add(unit.of(charged)).subtract(unit.of(credited));
    }
}
