package berth.scheduling.places;

import berth.cluster.Cluster;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.FreePes;
import berth.scheduling.places.PlaceSearch.Search;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A request or reservation that needs a place alongside the others: j_k of paper 000, section 3.2.
 *
 * @param id its id
 * @param serviceClass the service class of its account
 * @param moves how often the provider has moved it
 * @param terms its terms
 * @param acceptedAt when it counts as accepted, in seconds since the epoch
 * @param look returns its place among given free PEs
 * @param start the only acceptable start; empty if any start that the terms allow is acceptable
 */
public record Newcomer(
        ReservationId id,
        ServiceClass serviceClass,
        int moves,
        Terms terms,
        long acceptedAt,
        Function<FreePes, Search> look,
        OptionalLong start) {

    /** Creates a request that accepts any start that its terms allow. */
    public Newcomer(
            ReservationId id, ServiceClass serviceClass, Terms terms, long acceptedAt, Function<FreePes, Search> look) {
        this(id, serviceClass, 0, terms, acceptedAt, look, OptionalLong.empty());
    }

    /** Creates a newcomer for a reservation that needs another place and accepts any start that its terms allow. */
    public static Newcomer again(Reservation reservation, Terms terms, Function<FreePes, Search> look) {
        return new Newcomer(
                reservation.id(),
                reservation.origin().serviceClass(),
                reservation.status().moves().count(),
                terms,
                reservation.status().createdAt(),
                look,
                OptionalLong.empty());
    }

    /** Returns the same newcomer if it accepts only this start, in seconds since the epoch. */
    Newcomer startingAt(long only) {
        return new Newcomer(id, serviceClass, moves, terms, acceptedAt, look, OptionalLong.of(only));
    }

    /** Returns its rank in the cluster's replan order. Reservations with a lower rank precede it. */
    long rank(Cluster cluster, long now) {
        return cluster.policy().replanning().order().rank(id, terms, acceptedAt, id, now);
    }

    /** Returns its turn among reservations with the same rank; those with the same or a lower turn precede it. */
    long turn(Cluster cluster) {
        return cluster.policy().replanning().moves().turn(serviceClass, moves);
    }
}
