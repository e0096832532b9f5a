package berth.scheduling;

import berth.cluster.Cluster;
import berth.cluster.Outage;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;

/**
 * Something that happened on a cluster. The events of a cluster, in order, are its history; the schedule is what they
 * add up to.
 */
public sealed interface Event {

    /** What happened. */
    Type type();

    /** When, in seconds since the epoch. */
    long at();

    /** What can happen. */
    enum Type {
        HELD,
        CONFIRMED,
        FIXED,
        STARTED,
        CLAIMED,
        CLAIM_POSTPONED,
        RENEGOTIATED,
        MOVED,
        COMPLETED,
        CANCELLED,
        RELEASED,
        EXPIRED,
        FAILED,
        CLUSTER_CHANGED,
        OUTAGE_RECORDED,
        OUTAGE_ENDED;

        /** What has happened to a reservation that is in {@code state} now and was not before. */
        static Type of(ReservationState state) {
            return switch (state) {
                case HELD -> HELD;
                case CONFIRMED -> CONFIRMED;
                case RUNNING -> STARTED;
                case COMPLETED -> COMPLETED;
                case CANCELLED -> CANCELLED;
                case EXPIRED -> EXPIRED;
                case FAILED -> FAILED;
            };
        }
    }

    /**
     * Something happened to a reservation.
     *
     * @param reservation as it is after it
     */
    record ReservationEvent(Type type, Reservation reservation, long at) implements Event {

        static ReservationEvent of(Type type, Reservation reservation) {
            return new ReservationEvent(type, reservation, reservation.status().updatedAt());
        }

        /** A reservation was accepted. */
        public static ReservationEvent accepted(Reservation reservation) {
            return of(Type.of(reservation.state()), reservation);
        }

        /**
         * A reservation went over to another state.
         *
         * @throws IllegalStateException if that state may not follow its present one
         */
        public static ReservationEvent became(Reservation before, ReservationState next, long at) {
            return of(Type.of(next), before.becomes(next, at));
        }
    }

    /**
     * The operator changed the cluster.
     *
     * @param cluster as it is after it
     */
    record ClusterEvent(Cluster cluster, long at) implements Event {
        @Override
        public Type type() {
            return Type.CLUSTER_CHANGED;
        }
    }

    /**
     * PEs go out of service, or come back.
     *
     * @param outage as it is after it
     */
    record OutageEvent(Type type, Outage outage, long at) implements Event {

        static OutageEvent recorded(Outage outage, long at) {
            return new OutageEvent(Type.OUTAGE_RECORDED, outage, at);
        }

        static OutageEvent ended(Outage outage, long at) {
            return new OutageEvent(Type.OUTAGE_ENDED, outage.ended(at), at);
        }
    }
}
