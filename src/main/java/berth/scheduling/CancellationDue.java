package berth.scheduling;

import berth.reservation.Quantity;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.sla.Money;
import java.math.BigDecimal;
import java.util.OptionalLong;

/**
 * The amount that an owner owes for cancelling a reservation before its start, by the {@linkplain berth.pricing.Cancellation tariff}.
 *
 * @param freeUntil the last second in which it owes nothing, in seconds since the epoch; empty if it owes nothing until the start, or
 *     something in any case
 * @param late what it owes after that second. If there is none: the most that it can owe, or zero if it owes nothing until the start
 */
public record CancellationDue(OptionalLong freeUntil, Money late) {

    /** Returns what the owner of a held or confirmed reservation owes for a cancellation. A hold owes this once it is confirmed. */
    public static CancellationDue of(Reservation given, ClusterSchedule schedule) {
        long start = given.slot().start();
        var late = given.owedIfGivenUp(share(given, schedule, start));
        boolean isEverFree = given.owedIfGivenUp(BigDecimal.ZERO).amount().signum() == 0;
        return new CancellationDue(
                isEverFree && late.amount().signum() > 0
                        ? schedule.cluster().tariff().cancelledFreeUntil(start)
                        : OptionalLong.empty(),
                late);
    }

    /** Returns the share of the price that is due at {@code now}. */
    public static BigDecimal share(Reservation given, ClusterSchedule schedule, long now) {
        return given.status().flags().contains(Status.Flag.DEGRADED)
                ? BigDecimal.ZERO
                : schedule.cluster().tariff().owedIfGivenUp(given.slot().start(), now);
    }

    /**
     * Returns a reservation after a change that its owner has caused. It owes at least what it would have owed for a cancellation at this
     * moment, so that no change before a cancellation, and no change to a trifle, makes it cheaper.
     */
    public static Reservation afterOwners(Reservation before, Reservation after, ClusterSchedule schedule, long now) {
        var share = before.state() == ReservationState.CONFIRMED ? share(before, schedule, now) : BigDecimal.ZERO;
        return share.signum() == 0
                ? after
                : after.owingAtLeast(
                        new Quantity(before.price(), before.placement().work()).share(share));
    }
}
