package berth.scheduling;

import berth.cluster.Cluster;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.PlaceSearch.Search;
import berth.sla.Terms;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Someone who wants a place beside those who have one: j_k of paper 000, section 3.2.
 *
 * @param id its name
 * @param terms what it wants
 * @param acceptedAt since when it counts as accepted, seconds since the epoch
 * @param look the place it takes where these PEs are free
 * @param start the only one that it takes; empty: any that its terms allow
 */
record Newcomer(ReservationId id, Terms terms, long acceptedAt, Function<FreePes, Search> look, OptionalLong start) {

    /** One that takes any start that its terms allow. */
    Newcomer(ReservationId id, Terms terms, long acceptedAt, Function<FreePes, Search> look) {
        this(id, terms, acceptedAt, look, OptionalLong.empty());
    }

    /** Its rank in the order in which the cluster places its queue anew, where only those before it are of a lower one. */
    long rank(Cluster cluster, long now) {
        return cluster.policy().replanning().order().rank(id, terms, acceptedAt, id, now);
    }

    /** The rank of one that waits, for this newcomer. */
    long rank(Reservation waiting, Cluster cluster, long now) {
        return cluster.policy()
                .replanning()
                .order()
                .rank(waiting.id(), waiting.terms(), waiting.status().createdAt(), id, now);
    }
}
