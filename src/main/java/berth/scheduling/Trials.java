package berth.scheduling;

import berth.reservation.ReservationId;
import berth.scheduling.PlaceSearch.Opening;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import java.util.Optional;
import java.util.UUID;

/**
 * Decides requests that nobody makes, to learn what would be admitted. What that may cost is bounded by a number of
 * placements, never by the clock, so that the same question gets the same answer.
 */
final class Trials {

    private static final ReservationId NOBODYS = new ReservationId(new UUID(0, 0));

    private final ServiceClass serviceClass;
    private final long now;
    private int left;

    /**
     * @param serviceClass of whoever would ask
     * @param now seconds since the epoch
     * @param most placements, at least 1
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
        left -= weight(search.terms());
        return search.choose() instanceof Search.Found found ? Optional.of(found) : Optional.empty();
    }

    /** In how many shapes and steps a place is searched for. */
    private static int weight(Terms terms) {
        return terms.shapes().size() * terms.steps();
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
        left -= juggled.effort().searches() * weight(search.terms());
        return juggled instanceof Juggled.Found found ? Optional.of(found.place()) : Optional.empty();
    }
}
