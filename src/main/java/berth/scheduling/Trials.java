package berth.scheduling;

import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event.ReservationEvent;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Decides requests that nobody makes, to learn what would be admitted. What that may cost is bounded by a number of
 * placements, never by the clock, so that the same question gets the same answer.
 */
final class Trials {

    private static final ReservationId NOBODYS = new ReservationId(new UUID(0, 0));

    private final Origin origin;
    private final long now;
    private int left;

    /**
     * @param serviceClass of whoever would ask
     * @param now seconds since the epoch
     * @param most placements, at least 1
     */
    Trials(ServiceClass serviceClass, long now, int most) {
        this.origin = new Origin("", serviceClass, Optional.empty(), Optional.empty());
        this.now = now;
        this.left = most;
    }

    /** Whether no more may be tried. */
    boolean areOver() {
        return left <= 0;
    }

    /** What a request would become; empty if it would be refused. */
    Optional<Reservation> admitted(ClusterSchedule schedule, RequestedTerms terms) {
        left--;
        var reserve =
                new Reserve(NOBODYS, origin, terms, OptionalLong.empty(), OptionalLong.empty(), Allowance.UNLIMITED);
        return switch (reserve.decide(schedule, now)) {
            case Decision.Rejected _ -> Optional.empty();
            case Decision.Accepted(var events, var _) ->
                Optional.of(((ReservationEvent) events.getLast()).reservation());
        };
    }
}
