package berth.reservation;

/**
 * Something that happened to a reservation. The events of a cluster, in order, are its history; the schedule is what
 * they add up to.
 *
 * @param type what happened
 * @param reservation the reservation after it
 * @param at when, seconds since the epoch
 */
public record Event(Type type, Reservation reservation, long at) {

    /** What can happen to a reservation. */
    public enum Type {
        HELD,
        CONFIRMED,
        STARTED,
        COMPLETED,
        CANCELLED,
        EXPIRED;

        /** What has happened to a reservation that is in {@code state} now and was not before. */
        static Type of(ReservationState state) {
            return switch (state) {
                case HELD -> HELD;
                case CONFIRMED -> CONFIRMED;
                case RUNNING -> STARTED;
                case COMPLETED -> COMPLETED;
                case CANCELLED -> CANCELLED;
                case EXPIRED -> EXPIRED;
            };
        }
    }

    /** A reservation was accepted. */
    public static Event accepted(Reservation reservation) {
        return new Event(
                Type.of(reservation.state()), reservation, reservation.status().createdAt());
    }

    /**
     * A reservation went over to another state.
     *
     * @throws IllegalStateException if that state may not follow its present one
     */
    public static Event became(Reservation before, ReservationState next, long at) {
        return new Event(Type.of(next), before.becomes(next, at), at);
    }
}
