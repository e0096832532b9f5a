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
 * A request for a reservation that is collected with others before it is decided, or that waits for room. If it is granted, the reservation
 * has the same id.
 *
 * @param id the id of the reservation that the request may become
 * @param cluster the cluster; empty if any cluster will do
 * @param origin the account that made the request
 * @param priority the priority of the account at the time of the request, 1 to 10, 10 the highest
 * @param terms the requested terms
 * @param start the chosen start, in seconds since the epoch; empty if the placement policy chooses
 * @param leeway how far outside the window a slot may lie; empty if it must lie inside
 * @param arrivedAt when the request arrived, in seconds since the epoch
 * @param state the state of the request
 * @param reason the reason of the refusal; present if and only if the state is REJECTED
 * @param endedAt when the request was decided, withdrawn or expired, in seconds since the epoch; present if and only if that has happened
 * @param waitUntil the time until which the request waits for room, in seconds since the epoch; empty if it is refused for lack of room
 * @param ticket its number on the cluster's waiting list, from 1; the lowest is tried first. Present once the request has waited
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
        OptionalLong endedAt,
        OptionalLong waitUntil,
        OptionalLong ticket) {

    /** The state of a request. */
    public enum State {
        /** It waits for its round. */
        PENDING,
        /** It found no room and waits for some. */
        WAITING,
        /** It became a reservation with the same id. */
        GRANTED,
        /** It was refused in its round. */
        REJECTED,
        /** Its owner cancelled it before it was decided. */
        CANCELLED,
        /** It waited for room until its time was over. */
        EXPIRED
    }

    /** Creates a request to a cluster that has just arrived. */
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

    /** Creates a request without a cluster that has just arrived. */
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
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    /** Returns the same request with another leeway. */
    public IntakeRequest within(Optional<Leeway> instead) {
        return new IntakeRequest(
                id, cluster, origin, priority, terms, start, instead, arrivedAt, state, reason, endedAt, waitUntil,
                ticket);
    }

    /** Returns the same request with another end of its wait for room, in seconds since the epoch; empty if it does not wait. */
    public IntakeRequest waitingUntil(OptionalLong until) {
        return new IntakeRequest(
                id, cluster, origin, priority, terms, start, leeway, arrivedAt, state, reason, endedAt, until, ticket);
    }

    /** Returns the same request in the state WAITING with that ticket. */
    public IntakeRequest waiting(long number) {
        return in(State.WAITING, reason, endedAt, OptionalLong.of(number));
    }

    /** Whether the request still awaits a decision. */
    public boolean isOpen() {
        return state == State.PENDING || state == State.WAITING;
    }

    /**
     * Returns paper 002's length of a job, in PE-seconds on standard PEs: PEs times run time in the shape with the most PEs. Exact as far
     * as a {@code double} is.
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

    public IntakeRequest expired(long at) {
        return ended(State.EXPIRED, Optional.empty(), at);
    }

    /**
     * Returns the number of changes: 0 while the request is pending, one more when it is decided or begins to wait, and one more when its
     * wait ends.
     */
    public int version() {
        return switch (state) {
            case PENDING -> 0;
            case WAITING -> 1;
            case GRANTED, REJECTED, CANCELLED, EXPIRED -> ticket.isPresent() ? 2 : 1;
        };
    }

    /** Returns the origin of the reservation that the request becomes. Its versions continue those of the request. */
    public Origin granting() {
        return origin.beginningAt(version() + 1);
    }

    private IntakeRequest ended(State how, Optional<RefusalCode> why, long at) {
        return in(how, why, OptionalLong.of(at), ticket);
    }

    private IntakeRequest in(State next, Optional<RefusalCode> why, OptionalLong at, OptionalLong number) {
        return new IntakeRequest(
                id, cluster, origin, priority, terms, start, leeway, arrivedAt, next, why, at, waitUntil, number);
    }
}
