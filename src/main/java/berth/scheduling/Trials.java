package berth.scheduling;

import berth.reservation.ReservationId;
import berth.scheduling.PlaceSearch.Opening;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.util.Optional;
import java.util.UUID;

/**
 * Decides requests that nobody makes, to learn what would be admitted. What that may cost is bounded by a number of
 * searches, never by the clock; where more is remembered of the waiting queue, more may be tried.
 */
final class Trials {

    private static final ReservationId NOBODYS = new ReservationId(new UUID(0, 0));

    private final ServiceClass serviceClass;
    private final long now;
    private int left;

    /**
     * @param serviceClass of whoever would ask
     * @param now seconds since the epoch
     * @param most searches, at least 1; those of a request in several shapes and steps count as many
     */
    Trials(ServiceClass serviceClass, long now, int most) {
        this.serviceClass = serviceClass;
        this.now = now;
        this.left = most;
    }

    /** Whether no more may be tried. */
    boolean areOver() {
        return left <= 0;
    }

    /** Where a request would lie if nobody moved for it; empty if there is no place. */
    Optional<Search.Found> besideTheOthers(ClusterSchedule schedule, RequestedTerms terms) {
        if (!(PlaceSearch.open(schedule, terms, serviceClass, now) instanceof Opening.Open(var search))) {
            left--;
            return Optional.empty();
        }
        left -= search.terms().weight();
        return search.choose() instanceof Search.Found found ? Optional.of(found) : Optional.empty();
    }

    /** Where a request would lie; empty if it would be refused. */
    Optional<Search.Found> admitted(ClusterSchedule schedule, RequestedTerms terms) {
        return switch (PlaceSearch.open(schedule, terms, serviceClass, now)) {
            case Opening.Shut _ -> Optional.empty();
            case Opening.Open(var search) -> admitted(schedule, search);
        };
    }

    private Optional<Search.Found> admitted(ClusterSchedule schedule, PlaceSearch search) {
        var newcomer = new Newcomer(
                NOBODYS, search.terms(), now, free -> search.among(free).choose());
        var juggled = Juggled.of(schedule, newcomer, now);
        left -= juggled.effort().searches() * search.terms().weight();
        return juggled instanceof Juggled.Found found ? Optional.of(found.place()) : Optional.empty();
    }
}
