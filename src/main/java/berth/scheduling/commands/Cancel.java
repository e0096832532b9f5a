package berth.scheduling.commands;

import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.CancellationDue;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Lookup;
import berth.scheduling.Target;
import berth.scheduling.commands.Fix.Wish;
import java.util.EnumSet;
import java.util.Optional;

/**
 * Cancels a live reservation; its PEs are free at once. What is not confirmed owes nothing. An owner who cancels a confirmed reservation late owes what the
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
                EnumSet.of(
                        ReservationState.HELD,
                        ReservationState.PENDING,
                        ReservationState.CONFIRMED,
                        ReservationState.RUNNING),
                given -> Optional.of(
                        wish == Wish.OWNERS
                                ? givenUp(given, schedule, now)
                                : Ending.of(given, ReservationState.CANCELLED, schedule, now)));
    }

    /** Returns the event that ends a reservation which its owner cancels. */
    static ReservationEvent givenUp(Reservation given, ClusterSchedule schedule, long now) {
        if (given.isOverdue(now)) {
            return Unenforced.of(given, schedule, now);
        }
        return given.state() == ReservationState.RUNNING
                ? Ending.of(given, ReservationState.CANCELLED, schedule, now)
                : Ending.of(
                        Event.Type.CANCELLED,
                        given.givenUp(CancellationDue.share(given, schedule, now), now),
                        schedule);
    }
}
