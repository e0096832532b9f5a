package berth.booking;

import berth.reservation.ClusterId;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Lists the recorded reservations of this Berth and of others, and the requests that have not become one. */
public interface ReservationList {

    /**
     * Returns the reservations and requests that match the filter, newest first; those at other Berths in their last known state.
     *
     * @param olderThan only those requested before it
     */
    List<ReservationOrRequest> newest(Filter filter, Optional<ReservationId> olderThan, int limit);

    /** Returns the reservations that match the filter, latest start first; those at other Berths in their last known state. */
    List<BookedReservation> latest(Filter filter, int limit);

    /**
     * Selects reservations and requests; an empty field does not restrict.
     *
     * @param state the name of the state, which reservations and requests may share
     * @param from selects reservations that end after this time, in seconds since the epoch
     * @param to selects reservations that start before this time, in seconds since the epoch
     */
    record Filter(
            Optional<AccountName> owner,
            Optional<ClusterId> cluster,
            Optional<String> state,
            Optional<String> project,
            OptionalLong from,
            OptionalLong to) {

        /** Whether it selects a reservation. */
        public boolean allows(Reservation reservation) {
            return owner.stream().allMatch(reservation.origin().owner()::equals)
                    && cluster.stream().allMatch(reservation.cluster()::equals)
                    && state.stream().allMatch(reservation.state().name()::equals)
                    && (project.isEmpty() || project.equals(reservation.origin().project()))
                    && (from.isEmpty() || reservation.slot().end() > from.getAsLong())
                    && (to.isEmpty() || reservation.slot().start() < to.getAsLong());
        }
    }
}
