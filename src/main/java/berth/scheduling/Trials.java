package berth.scheduling;

import berth.reservation.ReservationId;
import berth.scheduling.PlaceSearch.Opening;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Decides requests that nobody makes, to learn what would be admitted. What that may cost is bounded by a number of
 * searches and one of plans of the batch queue, never by the clock; where more is remembered of the waiting queue, more may
 * be tried.
 */
final class Trials {

    /** The plans of batch queues that may be made, of as many jobs as that. */
    private static final int MAX_PLANS = 100;

    private static final ReservationId NOBODYS = new ReservationId(new UUID(0, 0));

    private final ServiceClass serviceClass;
    private final long now;
    private int left;
    private int plansLeft = MAX_PLANS;

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
        return searchesAreOver() || plansAreOver();
    }

    boolean searchesAreOver() {
        return left <= 0;
    }

    boolean plansAreOver() {
        return plansLeft <= 0;
    }

    /** Counts one plan that is made elsewhere. */
    void plan() {
        plansLeft--;
    }

    /** Where a request would lie if nobody moved for it, however much it would delay batch jobs; empty if there is no place. */
    Optional<JugglingResult.Found> besideTheOthers(ClusterSchedule schedule, RequestedTerms terms) {
        if (!(PlaceSearch.open(schedule, terms, serviceClass, now) instanceof Opening.Open(var search))) {
            left--;
            return Optional.empty();
        }
        left -= search.terms().weight();
        return JugglingResult.of(search.choose()) instanceof JugglingResult.Found found
                ? Optional.of(found)
                : Optional.empty();
    }

    /** Where a request would lie, however much it would delay batch jobs; empty if there is no place. */
    Optional<JugglingResult.Found> placed(ClusterSchedule schedule, RequestedTerms terms) {
        return PlaceSearch.open(schedule, terms, serviceClass, now) instanceof Opening.Open(var search)
                ? placed(schedule, search)
                : Optional.empty();
    }

    /** Where a request would lie; empty if it would be refused. */
    Optional<JugglingResult.Found> admitted(ClusterSchedule schedule, RequestedTerms terms) {
        return PlaceSearch.open(schedule, terms, serviceClass, now) instanceof Opening.Open(var search)
                ? placed(schedule, search).flatMap(found -> enough(schedule, search, found))
                : Optional.empty();
    }

    private Optional<JugglingResult.Found> placed(ClusterSchedule schedule, PlaceSearch search) {
        var newcomer = new Newcomer(
                NOBODYS, search.terms(), now, free -> search.among(free).choose());
        var juggled = JugglingResult.of(schedule, newcomer, now);
        left -= juggled.effort().searches() * search.terms().weight();
        return juggled instanceof JugglingResult.Found found ? Optional.of(found) : Optional.empty();
    }

    private Optional<JugglingResult.Found> enough(
            ClusterSchedule schedule, PlaceSearch search, JugglingResult.Found found) {
        if (schedule.needsPlans()) {
            plansLeft -= RatedPlaces.mostPlans(schedule);
        }
        return RatedPlaces.enough(schedule, search, found, OptionalLong.empty(), now, now)
                        instanceof JugglingResult.Found granted
                ? Optional.of(granted)
                : Optional.empty();
    }
}
