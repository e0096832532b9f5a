package berth.intake;

import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A request for a reservation that is collected with others before it is decided; from then on a reservation of the same id,
 * or nothing.
 *
 * @param id of the reservation that it may become
 * @param cluster where; empty: on whichever cluster
 * @param origin who asks
 * @param priority of the account when it asked, 1 to 10, 10 the highest
 * @param terms what is asked for
 * @param start the chosen start, seconds since the epoch; empty: as the policy chooses
 * @param leeway how far from the window it takes a slot instead; empty: not at all
 * @param arrivedAt seconds since the epoch
 * @param state where it stands
 * @param reason why it was refused; present exactly if it was rejected
 * @param endedAt when it was decided or withdrawn, seconds since the epoch; present exactly once it was
 */
public record IntakeRequest(
        ReservationId id,
        Optional<ClusterId> cluster,
        Origin origin,
        int priority,
        RequestedTerms terms,
        OptionalLong start,
        Optional<Leeway> leeway,
        long arrivedAt,
        State state,
        Optional<RefusalCode> reason,
        OptionalLong endedAt) {

    /** Where a collected request stands. */
    public enum State {
        /** Waits for its round. */
        PENDING,
        /** A reservation of the same id has come of it. */
        GRANTED,
        /** Refused in its round. */
        REJECTED,
        /** Given up by its owner before its round. */
        CANCELLED
    }

    /** A request to a cluster that has just arrived. */
    public static IntakeRequest pending(
            ReservationId id,
            ClusterId cluster,
            Origin origin,
            int priority,
            RequestedTerms terms,
            OptionalLong start,
            long arrivedAt) {
        return pending(id, Optional.of(cluster), origin, priority, terms, start, arrivedAt);
    }

    /** A request without a cluster that has just arrived. */
    public static IntakeRequest pending(
            ReservationId id, Origin origin, int priority, RequestedTerms terms, OptionalLong start, long arrivedAt) {
        return pending(id, Optional.empty(), origin, priority, terms, start, arrivedAt);
    }

    private static IntakeRequest pending(
            ReservationId id,
            Optional<ClusterId> cluster,
            Origin origin,
            int priority,
            RequestedTerms terms,
            OptionalLong start,
            long arrivedAt) {
        return new IntakeRequest(
                id,
                cluster,
                origin,
                priority,
                terms,
                start,
                Optional.empty(),
                arrivedAt,
                State.PENDING,
                Optional.empty(),
                OptionalLong.empty());
    }

    /** The same, that takes a slot so far from its window instead. */
    public IntakeRequest within(Optional<Leeway> instead) {
        return new IntakeRequest(
                id, cluster, origin, priority, terms, start, instead, arrivedAt, state, reason, endedAt);
    }

    /**
     * Paper 002's length of a job, in PE-seconds on standard PEs: the PEs times the run time on the most PEs that it may
     * have. Exact as far as a {@code double} is.
     */
    public double length() {
        return (double) terms.pes() * terms.duration();
    }

    public IntakeRequest granted(long at) {
        return ended(State.GRANTED, Optional.empty(), at);
    }

    public IntakeRequest rejected(RefusalCode why, long at) {
        return ended(State.REJECTED, Optional.of(why), at);
    }

    public IntakeRequest withdrawn(long at) {
        return ended(State.CANCELLED, Optional.empty(), at);
    }

    /** How often it has changed: 0 while it waits, then 1. */
    public int version() {
        return state == State.PENDING ? 0 : 1;
    }

    private IntakeRequest ended(State how, Optional<RefusalCode> why, long at) {
        return new IntakeRequest(
                id, cluster, origin, priority, terms, start, leeway, arrivedAt, how, why, OptionalLong.of(at));
    }
}
