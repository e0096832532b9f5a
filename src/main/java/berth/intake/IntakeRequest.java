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
 * A request for a reservation that is collected with others before it is decided, or waits for room; from then on a reservation
 * of the same id, or nothing.
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
 * @param endedAt when it was decided or withdrawn, or when it expired, seconds since the epoch; present exactly once it was
 * @param waitUntil until when it waits for room where there is none, seconds since the epoch; empty: it is refused then
 * @param ticket its number among those that wait on its cluster, from 1: the lowest is tried first; present exactly once it has waited
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

    /** Where a request stands. */
    public enum State {
        /** Waits for its round. */
        PENDING,
        /** There was no room for it, and it waits for some. */
        WAITING,
        /** A reservation of the same id has come of it. */
        GRANTED,
        /** Refused in its round. */
        REJECTED,
        /** Given up by its owner before it was decided. */
        CANCELLED,
        /** Has waited for room in vain. */
        EXPIRED
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
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    /** The same, that takes a slot so far from its window instead. */
    public IntakeRequest within(Optional<Leeway> instead) {
        return new IntakeRequest(
                id, cluster, origin, priority, terms, start, instead, arrivedAt, state, reason, endedAt, waitUntil,
                ticket);
    }

    /** The same, that waits for room until then where there is none, seconds since the epoch; empty: not at all. */
    public IntakeRequest waitingUntil(OptionalLong until) {
        return new IntakeRequest(
                id, cluster, origin, priority, terms, start, leeway, arrivedAt, state, reason, endedAt, until, ticket);
    }

    /** The same, which waits for room from now on, with that number. */
    public IntakeRequest waiting(long number) {
        return in(State.WAITING, reason, endedAt, OptionalLong.of(number));
    }

    /** Whether it is still to be decided, in its round or as soon as there is room. */
    public boolean isOpen() {
        return state == State.PENDING || state == State.WAITING;
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

    public IntakeRequest expired(long at) {
        return ended(State.EXPIRED, Optional.empty(), at);
    }

    /** How often it has changed: not while it is pending, then once when it is decided, or begins to wait, and once when that ends. */
    public int version() {
        return switch (state) {
            case PENDING -> 0;
            case WAITING -> 1;
            case GRANTED, REJECTED, CANCELLED, EXPIRED -> ticket.isPresent() ? 2 : 1;
        };
    }

    private IntakeRequest ended(State how, Optional<RefusalCode> why, long at) {
        return in(how, why, OptionalLong.of(at), ticket);
    }

    private IntakeRequest in(State next, Optional<RefusalCode> why, OptionalLong at, OptionalLong number) {
        return new IntakeRequest(
                id, cluster, origin, priority, terms, start, leeway, arrivedAt, next, why, at, waitUntil, number);
    }
}
