package berth.scheduling;

import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Fix.Wish;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.Optional;

/**
 * Cancels a live reservation; its PEs are free at once. An owner who cancels a confirmed reservation late owes what the {@linkplain
 * berth.pricing.Cancellation tariff} states, unless another reservation of the same co-allocation has failed.
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
    public Decision decide(ClusterSchedule schedule, long now) {
        return Lookup.change(
                schedule,
                target,
                EnumSet.of(ReservationState.HELD, ReservationState.CONFIRMED, ReservationState.RUNNING),
                given -> Optional.of(
                        wish == Wish.OWNERS
                                ? givenUp(given, schedule, now)
                                : ReservationEvent.became(given, ReservationState.CANCELLED, now)));
    }

    /** Returns the event that ends a reservation which its owner cancels. */
    static ReservationEvent givenUp(Reservation given, ClusterSchedule schedule, long now) {
        var late = given.status().flags().contains(Status.Flag.DEGRADED)
                ? BigDecimal.ZERO
                : schedule.cluster().tariff().owedIfGivenUp(given.slot().start(), now);
        return ReservationEvent.of(Event.Type.CANCELLED, given.givenUp(late, now));
    }
}
