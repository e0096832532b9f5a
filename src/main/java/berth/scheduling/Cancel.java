package berth.scheduling;

import berth.reservation.Quantity;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Fix.Wish;
import berth.sla.Money;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Cancels a live reservation; its PEs are free at once. A hold owes nothing. An owner who cancels a confirmed reservation late owes what the
 * {@linkplain berth.pricing.Cancellation tariff} states and at least what it owed before, unless another reservation of the same
 * co-allocation has failed. A run that has begun owes as much as if it were {@linkplain Complete completed}.
 *
 * @param target the reservation
 * @param wish who wants the cancellation; at the provider's wish, a reservation that has not begun owes nothing
 */
public record Cancel(Target target, Wish wish) implements Command {

    /** Creates the command for a cancellation by the owner. */
    public Cancel(Target target) {
        this(target, Wish.OWNERS);
    }

    @Override
    public Decision decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        return Lookup.change(
                schedule,
                target,
                EnumSet.of(ReservationState.HELD, ReservationState.CONFIRMED, ReservationState.RUNNING),
                given -> Optional.of(
                        wish == Wish.OWNERS
                                ? givenUp(given, schedule, now)
                                : Ending.of(given, ReservationState.CANCELLED, schedule, now)));
    }

    /**
     * The amount that an owner owes for cancelling a reservation before its start.
     *
     * @param freeUntil the last second in which it owes nothing, in seconds since the epoch; empty if it owes nothing until the start, or
     *     something in any case
     * @param late what it owes after that second. If there is none: the most that it can owe, or zero if it owes nothing until the start
     */
    public record Due(OptionalLong freeUntil, Money late) {}

    /** Returns what the owner of a held or confirmed reservation owes for a cancellation. A hold owes this once it is confirmed. */
    public static Due due(Reservation given, ClusterSchedule schedule) {
        long start = given.slot().start();
        var late = given.owedIfGivenUp(share(given, schedule, start));
        boolean isEverFree = given.owedIfGivenUp(BigDecimal.ZERO).amount().signum() == 0;
        return new Due(
                isEverFree && late.amount().signum() > 0
                        ? schedule.cluster().tariff().cancelledFreeUntil(start)
                        : OptionalLong.empty(),
                late);
    }

    /** Returns the event that ends a reservation which its owner cancels. */
    static ReservationEvent givenUp(Reservation given, ClusterSchedule schedule, long now) {
        if (given.isOverdue(now)) {
            return Unenforced.of(given, schedule, now);
        }
        return given.state() == ReservationState.RUNNING
                ? Ending.of(given, ReservationState.CANCELLED, schedule, now)
                : Ending.of(Event.Type.CANCELLED, given.givenUp(share(given, schedule, now), now), schedule);
    }

    private static BigDecimal share(Reservation given, ClusterSchedule schedule, long now) {
        return given.status().flags().contains(Status.Flag.DEGRADED)
                ? BigDecimal.ZERO
                : schedule.cluster().tariff().owedIfGivenUp(given.slot().start(), now);
    }

    /**
     * Returns a reservation after a change that its owner has caused. It owes at least what it would have owed for a cancellation at this
     * moment, so that no change before a cancellation, and no change to a trifle, makes it cheaper.
     */
    static Reservation afterOwners(Reservation before, Reservation after, ClusterSchedule schedule, long now) {
        var share = before.state() == ReservationState.CONFIRMED ? share(before, schedule, now) : BigDecimal.ZERO;
        return share.signum() == 0
                ? after
                : after.owingAtLeast(
                        new Quantity(before.price(), before.placement().work()).share(share));
    }
}
