package berth.booking;

import berth.engine.Records.Filter;
import berth.engine.Records.RequestFilter;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.ReservationState;
import berth.sla.AccountName;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Selects reservations, and the requests that were collected for one; an empty field does not restrict.
 *
 * @param from selects those that end after this time, in seconds since the epoch
 * @param to selects those that start before this time, in seconds since the epoch
 */
public record ReservationFilter(
        Optional<AccountName> owner,
        Optional<ClusterId> cluster,
        Optional<States> stands,
        Optional<String> project,
        OptionalLong from,
        OptionalLong to) {

    /** The states to select: of reservations, and of requests that have not become one; empty if no such state is wanted. */
    public record States(Optional<ReservationState> reservation, Optional<IntakeRequest.State> request) {}

    /** Returns the filter for reservations, if any are wanted. */
    Optional<Filter> reservations() {
        var state = stands.flatMap(States::reservation);
        return stands.isPresent() && state.isEmpty()
                ? Optional.empty()
                : Optional.of(new Filter(owner, cluster, state, project, from, to));
    }

    /** Returns the filter for requests, if any are wanted; requests have no place in time. */
    Optional<RequestFilter> requests() {
        var state = stands.flatMap(States::request);
        boolean isMeant = from.isEmpty() && to.isEmpty() && (stands.isEmpty() || state.isPresent());
        return isMeant ? Optional.of(new RequestFilter(owner, cluster, state, project)) : Optional.empty();
    }
}
