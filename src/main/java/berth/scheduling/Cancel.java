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
 * A live reservation is given up; its PEs are free at once. An owner who gives up late what was confirmed owes what the {@linkplain
 * berth.pricing.Cancellation tariff} says, unless what belongs together with it on other clusters has failed.
 *
 * @param target what is given up
 * @param wish whose wish it is; who gives up the provider's way owes nothing for what has not begun
 */
public record Cancel(Target target, Wish wish) implements Command {

    /** The owner's wish. */
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

    /** The end of a reservation that its owner gives up. */
    static ReservationEvent givenUp(Reservation given, ClusterSchedule schedule, long now) {
        var late = given.status().flags().contains(Status.Flag.DEGRADED)
                ? BigDecimal.ZERO
                : schedule.cluster().tariff().owedIfGivenUp(given.slot().start(), now);
        return ReservationEvent.of(Event.Type.CANCELLED, given.givenUp(late, now));
    }
}
