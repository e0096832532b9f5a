package berth.reservation;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * How far a reservation has come.
 *
 * @param state where it stands
 * @param reason why it ended, where neither its end nor its owner says so
 * @param holdExpiresAt when its hold ends, seconds since the epoch; present exactly while it is held
 * @param claimBy until when it must be claimed, seconds since the epoch; present from its acceptance until it is claimed
 *     or has ended, where the cluster asked for it when it was accepted
 * @param createdAt when it was accepted, seconds since the epoch
 * @param updatedAt when it last changed, seconds since the epoch
 * @param version how often it has changed since it was accepted
 * @param flags what is out of the ordinary about it, in whichever state it is
 */
public record Status(
        ReservationState state,
        Optional<EndReason> reason,
        OptionalLong holdExpiresAt,
        OptionalLong claimBy,
        long createdAt,
        long updatedAt,
        int version,
        Set<Flag> flags) {

    /** What can be out of the ordinary about a reservation. */
    public enum Flag {
        /** The provider has moved it since it was accepted. */
        MOVED,
        /** It belongs together with reservations on other clusters, of which one has failed. */
        DEGRADED
    }

    /** @throws IllegalArgumentException if an expiry, a claim or a reason is there in a state that has none */
    public Status {
        if ((state == ReservationState.HELD) != holdExpiresAt.isPresent()
                || claimBy.isPresent() && !state.isLive()
                || reason.isPresent() && state.isLive()) {
            throw new IllegalArgumentException(
                    "A reservation that is %s has no such hold (%s), claim (%s) or reason (%s)."
                            .formatted(state, holdExpiresAt, claimBy, reason));
        }
        // in one order, so that a reservation is always written alike
        flags = flags.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(flags));
    }

    /** Nothing is out of the ordinary. */
    public Status(
            ReservationState state,
            Optional<EndReason> reason,
            OptionalLong holdExpiresAt,
            OptionalLong claimBy,
            long createdAt,
            long updatedAt,
            int version) {
        this(state, reason, holdExpiresAt, claimBy, createdAt, updatedAt, version, Set.of());
    }

    /** Held from {@code at} until {@code expiresAt}. */
    public static Status held(long expiresAt, long at) {
        return accepted(ReservationState.HELD, OptionalLong.of(expiresAt), at);
    }

    /** Confirmed at {@code at}. */
    public static Status confirmed(long at) {
        return accepted(ReservationState.CONFIRMED, OptionalLong.empty(), at);
    }

    private static Status accepted(ReservationState state, OptionalLong holdExpiresAt, long at) {
        return new Status(state, Optional.empty(), holdExpiresAt, OptionalLong.empty(), at, at, 0);
    }

    /** In its next state. */
    Status becomes(ReservationState next, long at) {
        if (!state.canBecome(next)) {
            throw new IllegalStateException("A reservation that is %s cannot become %s.".formatted(state, next));
        }
        var stillToClaim = next.isLive() ? claimBy : OptionalLong.empty();
        return new Status(
                next, Optional.empty(), OptionalLong.empty(), stillToClaim, createdAt, at, version + 1, flags);
    }

    /** Ended, for a reason. */
    Status becomes(ReservationState next, EndReason why, long at) {
        var ended = becomes(next, at);
        return new Status(
                next, Optional.of(why), ended.holdExpiresAt, ended.claimBy, createdAt, at, ended.version, flags);
    }

    /** Changed in something else than its state. */
    Status changed(long at) {
        return new Status(state, reason, holdExpiresAt, claimBy, createdAt, at, version + 1, flags);
    }

    /** The provider has moved it. */
    Status moved() {
        return with(Flag.MOVED);
    }

    /** Another one that belongs together with it has failed. */
    Status degraded(long at) {
        return changed(at).with(Flag.DEGRADED);
    }

    private Status with(Flag flag) {
        var all = EnumSet.of(flag);
        all.addAll(flags);
        return new Status(state, reason, holdExpiresAt, claimBy, createdAt, updatedAt, version, all);
    }

    /** To be claimed as much later as the run starts later; at the same time if it is claimed, or need not be. */
    Status claimedLater(long seconds) {
        return claimBy.isPresent() ? claimBy(OptionalLong.of(claimBy.getAsLong() + seconds)) : this;
    }

    /** To be claimed by then; empty: claimed, or nobody asks for it. */
    public Status claimBy(OptionalLong by) {
        return new Status(state, reason, holdExpiresAt, by, createdAt, updatedAt, version, flags);
    }
}
