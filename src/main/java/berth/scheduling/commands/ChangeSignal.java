package berth.scheduling.commands;

import berth.pricing.Signal;
import berth.reservation.ReservationState;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ClusterEvent;
import java.util.List;

/**
 * A program of the site sends factors on the cluster's prices by time. They apply to later decisions: no agreed price changes. Factors
 * before the first of the new ones stay, as far back as a running reservation has begun, so that what is left of it has its price.
 *
 * @param signal the factors; with none, every factor from now on is 1
 */
public record ChangeSignal(Signal signal) implements Command {

    @Override
    public Decision.Accepted decide(Basis basis) {
        var schedule = basis.schedule();
        long now = basis.now();
        var cluster = schedule.cluster();
        var before = cluster.tariff().signal().since(begun(schedule, now));
        var after = (signal.isNone() ? before.before(now) : before.followedBy(signal)).since(begun(schedule, now));
        return after.equals(before)
                ? Decision.Accepted.unchanged(schedule)
                : accepted(schedule, new ClusterEvent(Event.Type.SIGNAL_CHANGED, cluster.signalling(after), now));
    }

    private static Decision.Accepted accepted(ClusterSchedule schedule, ClusterEvent event) {
        return new Decision.Accepted(List.of(event), schedule.with(event));
    }

    /** Returns when the first of the running reservations has begun; {@code now} if none runs. */
    private static long begun(ClusterSchedule schedule, long now) {
        return schedule.reservations().stream()
                .filter(reservation -> reservation.state() == ReservationState.RUNNING)
                .mapToLong(reservation -> reservation.slot().start())
                .min()
                .orElse(now);
    }
}
