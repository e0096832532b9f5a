package berth.scheduling.places;

import berth.outcome.Outcome;
import berth.reservation.ReservationId;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Rejection;
import berth.scheduling.places.PlaceSearch.Search;
import berth.sla.Customer;
import berth.sla.RequestedTerms;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Decides hypothetical requests to learn what would be admitted. Limits on searches and on plans of the batch queue bound the cost, never
 * the clock. With more in the replan memo, more requests may be tried.
 */
final class Trials {

    /** The most plans of a batch queue to make, however many jobs the queue has. */
    private static final int MAX_PLANS = 100;

    private static final ReservationId NOBODYS = new ReservationId(new UUID(0, 0));

    private final Customer customer;
    private final long hold;
    private final long now;
    private int left;
    private int plansLeft = MAX_PLANS;

    /**
     * Creates a set of trials.
     *
     * @param customer the account that asks
     * @param now seconds since the epoch
     * @param most the most searches, at least 1; a request with several shapes and steps counts several times
     */
    Trials(Customer customer, long now, int most) {
        this(customer, 0, now, most);
    }

    /**
     * Creates a set of trials of requests that hold their place first.
     *
     * @param hold for how long, in seconds
     */
    Trials(Customer customer, long hold, long now, int most) {
        this.customer = customer;
        this.hold = hold;
        this.now = now;
        this.left = most;
    }

    /** Whether no more requests may be tried. */
    boolean areOver() {
        return searchesAreOver() || plansAreOver();
    }

    boolean searchesAreOver() {
        return left <= 0;
    }

    boolean plansAreOver() {
        return plansLeft <= 0;
    }

    /** Counts one plan that a caller makes. */
    void plan() {
        plansLeft--;
    }

    /** Returns the place of a request that leaves the start to the policy, if no reservation moves for it. */
    Optional<JugglingResult.Found> besideTheOthers(ClusterSchedule schedule, RequestedTerms terms) {
        return besideTheOthers(schedule, terms, OptionalLong.empty());
    }

    /** Returns the place of a request that leaves the start to the policy. */
    Optional<JugglingResult.Found> placed(ClusterSchedule schedule, RequestedTerms terms) {
        return placed(schedule, terms, OptionalLong.empty());
    }

    /**
     * Returns the place of a request if no reservation moves for it, regardless of batch jobs; empty if there is none.
     *
     * @param start the chosen start, in seconds since the epoch; empty if the policy chooses
     */
    Optional<JugglingResult.Found> besideTheOthers(ClusterSchedule schedule, RequestedTerms terms, OptionalLong start) {
        if (!(open(schedule, terms) instanceof Outcome.Done(var search))) {
            left--;
            return Optional.empty();
        }
        left -= search.terms().weight();
        return JugglingResult.of(place(search, start)) instanceof JugglingResult.Found found
                ? Optional.of(found)
                : Optional.empty();
    }

    /**
     * Returns the place of a request, regardless of batch jobs; empty if there is none.
     *
     * @param start the chosen start, in seconds since the epoch; empty if the policy chooses
     */
    Optional<JugglingResult.Found> placed(ClusterSchedule schedule, RequestedTerms terms, OptionalLong start) {
        return open(schedule, terms) instanceof Outcome.Done(var search)
                ? placed(schedule, search, start)
                : Optional.empty();
    }

    /** Returns the place of a request; empty if it would be refused. */
    Optional<JugglingResult.Found> admitted(ClusterSchedule schedule, RequestedTerms terms) {
        return open(schedule, terms) instanceof Outcome.Done(var search)
                ? placed(schedule, search, OptionalLong.empty()).flatMap(found -> enough(schedule, search, found))
                : Optional.empty();
    }

    private Outcome<PlaceSearch, Rejection> open(ClusterSchedule schedule, RequestedTerms terms) {
        return PlaceSearch.open(schedule, terms, customer, hold, now);
    }

    private static Search place(PlaceSearch search, OptionalLong start) {
        return start.isPresent() ? search.at(start.getAsLong()) : search.choose();
    }

    private Optional<JugglingResult.Found> placed(ClusterSchedule schedule, PlaceSearch search, OptionalLong start) {
        var newcomer = new Newcomer(
                NOBODYS,
                customer.serviceClass(),
                0,
                search.terms(),
                now,
                free -> place(search.among(free), start),
                start);
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
