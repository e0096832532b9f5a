package berth.scheduling;

import berth.cluster.Cluster;
import berth.cluster.Replanning;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import java.util.Comparator;

/**
 * The order of a waiting queue: by rank; among equal ranks by turn, if the cluster {@linkplain berth.cluster.MoveRules spares} some; and
 * otherwise by the time of acceptance.
 *
 * @param newcomer the run that needs room, on which only some orders depend
 * @param now seconds since the epoch
 */
public record Ranking(Replanning rules, ReservationId newcomer, long now) {

    static final Comparator<Reservation> FIRST_ACCEPTED = Comparator.<Reservation>comparingLong(
                    one -> one.status().createdAt())
            .thenComparing(one -> one.id().value());

    public static Ranking of(Cluster cluster, ReservationId newcomer, long now) {
        return new Ranking(cluster.policy().replanning(), newcomer, now);
    }

    /** Returns the rank of a waiting reservation; lower comes first. */
    public long rank(Reservation waiting) {
        return rules.order()
                .rank(waiting.id(), waiting.terms(), waiting.status().createdAt(), newcomer, now);
    }

    /** Returns the turn of a waiting reservation among those with the same rank; lower comes first. */
    public long turn(Reservation waiting) {
        return rules.moves()
                .turn(waiting.origin().serviceClass(), waiting.status().moves().count());
    }

    /** Returns the order. */
    public Comparator<Reservation> order() {
        return Comparator.comparingLong(this::rank)
                .thenComparingLong(this::turn)
                .thenComparing(FIRST_ACCEPTED);
    }
}
