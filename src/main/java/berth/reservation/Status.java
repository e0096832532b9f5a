package berth.reservation;

import java.util.OptionalLong;

/**
 * How far a reservation has come.
 *
 * @param state where it stands
 * @param holdExpiresAt when its hold ends, seconds since the epoch; present exactly while it is held
 * @param createdAt when it was accepted, seconds since the epoch
 * @param updatedAt when it last changed, seconds since the epoch
 * @param version how often it has changed since it was accepted
 */
public record Status(ReservationState state, OptionalLong holdExpiresAt, long createdAt, long updatedAt, int version) {

    /** @throws IllegalArgumentException if only one of hold and expiry is there */
    public Status {
        if ((state == ReservationState.HELD) != holdExpiresAt.isPresent()) {
            throw new IllegalArgumentException(
                    "A hold, and nothing else, has an expiry: %s, %s.".formatted(state, holdExpiresAt));
        }
    }

    /** Held from {@code at} until {@code expiresAt}. */
    public static Status held(long expiresAt, long at) {
        return new Status(ReservationState.HELD, OptionalLong.of(expiresAt), at, at, 0);
    }

    /** Confirmed at {@code at}. */
    public static Status confirmed(long at) {
        return new Status(ReservationState.CONFIRMED, OptionalLong.empty(), at, at, 0);
    }

    Status becomes(ReservationState next, long at) {
        if (!state.canBecome(next)) {
            throw new IllegalStateException("A reservation that is %s cannot become %s.".formatted(state, next));
        }
        return new Status(next, OptionalLong.empty(), createdAt, at, version + 1);
    }
}
