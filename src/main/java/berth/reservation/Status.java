package berth.reservation;

import berth.approval.Approval;
import berth.time.Slot;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The state and history of a reservation.
 *
 * @param state the state
 * @param reason why it ended, if neither the end of the run nor its owner was the cause
 * @param holdExpiresAt when the hold ends, in seconds since the epoch; present if and only if the state is HELD
 * @param claimBy the time until which it must be claimed, in seconds since the epoch; present until it is claimed or ends, if the cluster
 *     required a claim when it was accepted
 * @param createdAt when it was accepted, in seconds since the epoch
 * @param updatedAt when it last changed, in seconds since the epoch; once it has ended, when it ended
 * @param version the number of changes since it was accepted
 * @param flags unusual events in its history, independent of its state
 * @param moves how often and from where the provider has moved it; journal rows older than this field lack it, which means never
 * @param approval the approval that it needs or needed before it was confirmed; empty if it needed none
 * @param nearestPlace the first time at which it would have fitted when it failed for lack of PEs before it began; empty if there was none,
 *     if none was looked for, and otherwise
 */
public record Status(
        ReservationState state,
        Optional<EndReason> reason,
        OptionalLong holdExpiresAt,
        OptionalLong claimBy,
        long createdAt,
        long updatedAt,
        int version,
        Set<Flag> flags,
        MoveHistory moves,
        Optional<Approval> approval,
        Optional<Slot> nearestPlace) {

    /** An unusual event in the history of a reservation. */
    public enum Flag {
        /** The provider has moved it since it was accepted. */
        MOVED,
        /** It belongs to a co-allocation of which another reservation has failed. */
        DEGRADED
    }

    /** @throws IllegalArgumentException if an expiry, a claim, a reason, an approval or a nearest place does not belong to the state */
    public Status {
        moves = MoveHistory.orNone(moves);
        if ((state == ReservationState.HELD) != holdExpiresAt.isPresent()
                || state.isLive()
                        && (state == ReservationState.PENDING)
                                != approval.filter(Approval::isOpen).isPresent()
                || claimBy.isPresent() && !state.isLive()
                || reason.isPresent() && state.isLive()
                || nearestPlace.isPresent() && state != ReservationState.FAILED) {
            throw new IllegalArgumentException(
                    "A reservation in state %s cannot have the hold expiry %s, the claim deadline %s, the reason %s, the approval %s and the nearest place %s."
                            .formatted(state, holdExpiresAt, claimBy, reason, approval, nearestPlace));
        }
        // a fixed order, so that equal reservations are written alike
        flags = flags.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(flags));
    }

    /** Creates a status without an approval and a nearest place. */
    public Status(
            ReservationState state,
            Optional<EndReason> reason,
            OptionalLong holdExpiresAt,
            OptionalLong claimBy,
            long createdAt,
            long updatedAt,
            int version,
            Set<Flag> flags,
            MoveHistory moves) {
        this(
                state,
                reason,
                holdExpiresAt,
                claimBy,
                createdAt,
                updatedAt,
                version,
                flags,
                moves,
                Optional.empty(),
                Optional.empty());
    }

    /** Creates the status of a reservation that was never moved. */
    public Status(
            ReservationState state,
            Optional<EndReason> reason,
            OptionalLong holdExpiresAt,
            OptionalLong claimBy,
            long createdAt,
            long updatedAt,
            int version,
            Set<Flag> flags) {
        this(state, reason, holdExpiresAt, claimBy, createdAt, updatedAt, version, flags, MoveHistory.NONE);
    }

    /** Creates a status without flags. */
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

    /** Returns the status of a hold from {@code at} until {@code expiresAt}. */
    public static Status held(long expiresAt, long at) {
        return accepted(ReservationState.HELD, OptionalLong.of(expiresAt), at);
    }

    /** Returns the status of a reservation that was confirmed at {@code at}. */
    public static Status confirmed(long at) {
        return accepted(ReservationState.CONFIRMED, OptionalLong.empty(), at);
    }

    private static Status accepted(ReservationState state, OptionalLong holdExpiresAt, long at) {
        return new Status(state, Optional.empty(), holdExpiresAt, OptionalLong.empty(), at, at, 0);
    }

    /** Returns the status in its next state. */
    Status becomes(ReservationState next, long at) {
        return becomes(next, Optional.empty(), approval, at);
    }

    /** Returns the status after the reservation has ended for a reason. */
    Status becomes(ReservationState next, EndReason why, long at) {
        return becomes(next, Optional.of(why), approval, at);
    }

    private Status becomes(ReservationState next, Optional<EndReason> why, Optional<Approval> answered, long at) {
        if (!state.canBecome(next)) {
            throw new IllegalStateException("A reservation cannot change from %s to %s.".formatted(state, next));
        }
        var stillToClaim = next.isLive() ? claimBy : OptionalLong.empty();
        return with(next, why, OptionalLong.empty(), stillToClaim, at, version + 1, answered);
    }

    /** Returns the status of one that must be approved first, instead of being confirmed as it is accepted. */
    Status asking(Approval needed) {
        return with(
                ReservationState.PENDING,
                reason,
                OptionalLong.empty(),
                claimBy,
                updatedAt,
                version,
                Optional.of(needed));
    }

    /** Returns the status after an answer for some of the sides that must approve: confirmed if none is left. */
    Status approved(Approval answered, long at) {
        return answered.isOpen()
                ? with(state, reason, holdExpiresAt, claimBy, at, version + 1, Optional.of(answered))
                : becomes(ReservationState.CONFIRMED, Optional.empty(), Optional.of(answered), at);
    }

    /** Returns the status after somebody who had to approve has declined. */
    Status declined(Approval answered, long at) {
        return becomes(ReservationState.CANCELLED, Optional.of(EndReason.DECLINED), Optional.of(answered), at);
    }

    /** Returns the status of a failed reservation with the first time at which it would have fitted. */
    Status fitting(Slot nearest) {
        return new Status(
                state,
                reason,
                holdExpiresAt,
                claimBy,
                createdAt,
                updatedAt,
                version,
                flags,
                moves,
                approval,
                Optional.of(nearest));
    }

    /** Returns the status after a change that leaves the state as it is. */
    Status changed(long at) {
        return with(state, reason, holdExpiresAt, claimBy, at, version + 1, approval);
    }

    /** Returns the status of a reservation that has ended, after a change of its charge only. */
    Status chargedAnew() {
        return with(state, reason, holdExpiresAt, claimBy, updatedAt, version + 1, approval);
    }

    /** Returns the status after the provider has moved the reservation. */
    Status moved(MoveHistory history) {
        return with(Flag.MOVED).with(history);
    }

    /** Returns the status after other terms were agreed. */
    Status agreedAnew() {
        return with(moves.agreedAnew());
    }

    private Status with(MoveHistory other) {
        return new Status(
                state,
                reason,
                holdExpiresAt,
                claimBy,
                createdAt,
                updatedAt,
                version,
                flags,
                other,
                approval,
                nearestPlace);
    }

    /** Returns the status after another reservation of its co-allocation has failed. */
    Status degraded(long at) {
        return changed(at).with(Flag.DEGRADED);
    }

    private Status with(Flag flag) {
        var all = EnumSet.of(flag);
        all.addAll(flags);
        return new Status(
                state,
                reason,
                holdExpiresAt,
                claimBy,
                createdAt,
                updatedAt,
                version,
                all,
                moves,
                approval,
                nearestPlace);
    }

    /** Returns the status with the claim postponed by as much as the run starts later; unchanged if no claim is needed. */
    Status claimedLater(long seconds) {
        return claimBy.isPresent() ? claimBy(OptionalLong.of(claimBy.getAsLong() + seconds)) : this;
    }

    /** Returns the status with another limit for the claim; empty if no claim is needed. */
    public Status claimBy(OptionalLong by) {
        return with(state, reason, holdExpiresAt, by, updatedAt, version, approval);
    }

    private Status with(
            ReservationState next,
            Optional<EndReason> why,
            OptionalLong hold,
            OptionalLong claim,
            long at,
            int number,
            Optional<Approval> asked) {
        return new Status(next, why, hold, claim, createdAt, at, number, flags, moves, asked, nearestPlace);
    }
}
