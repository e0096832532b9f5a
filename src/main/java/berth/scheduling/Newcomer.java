package berth.scheduling;

import berth.cluster.Cluster;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.Terms;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A request or reservation that needs a place alongside the others: j_k of paper 000, section 3.2.
 *
 * @param id its id
 * @param terms its terms
 * @param acceptedAt when it counts as accepted, in seconds since the epoch
 * @param look returns its place among given free PEs
 * @param start the only acceptable start; empty if any start that the terms allow is acceptable
 */
record Newcomer(ReservationId id, Terms terms, long acceptedAt, Function<FreePes, Search> look, OptionalLong start) {

    /** Creates a newcomer that accepts any start that its terms allow. */
    Newcomer(ReservationId id, Terms terms, long acceptedAt, Function<FreePes, Search> look) {
        this(id, terms, acceptedAt, look, OptionalLong.empty());
    }

    /** Returns its rank in the cluster's replan order. Reservations with the same or a lower rank precede it. */
    long rank(Cluster cluster, long now) {
        return cluster.policy().replanning().order().rank(id, terms, acceptedAt, id, now);
    }

    /** Returns the rank of a waiting reservation, for this newcomer. */
    long rank(Reservation waiting, Cluster cluster, long now) {
        return cluster.policy()
                .replanning()
                .order()
                .rank(waiting.id(), waiting.terms(), waiting.status().createdAt(), id, now);
    }
}
