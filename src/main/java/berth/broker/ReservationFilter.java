package berth.broker;

import berth.desk.Records.Filter;
import berth.desk.Records.RequestFilter;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.reservation.ReservationState;
import berth.sla.AccountName;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which reservations are listed, with the requests that were collected for one; what is empty does not matter.
 *
 * @param from seconds since the epoch: those that end after it
 * @param to seconds since the epoch: those that start before it
 */
public record ReservationFilter(
        Optional<AccountName> owner,
        Optional<ClusterId> cluster,
        Optional<Stands> stands,
        Optional<String> project,
        OptionalLong from,
        OptionalLong to) {

    /** Where they stand: as a reservation, and as a request that has not become one; empty where these never do. */
    public record Stands(Optional<ReservationState> reservation, Optional<IntakeRequest.State> request) {}

    /** The reservations that are meant, if any are. */
    Optional<Filter> reservations() {
        var state = stands.flatMap(Stands::reservation);
        return stands.isPresent() && state.isEmpty()
                ? Optional.empty()
                : Optional.of(new Filter(owner, cluster, state, project, from, to));
    }

    /** The requests that are meant, if any are: they lie nowhere in time. */
    Optional<RequestFilter> requests() {
        var state = stands.flatMap(Stands::request);
        boolean isMeant = from.isEmpty() && to.isEmpty() && (stands.isEmpty() || state.isPresent());
        return isMeant ? Optional.of(new RequestFilter(owner, cluster, state, project)) : Optional.empty();
    }
}
