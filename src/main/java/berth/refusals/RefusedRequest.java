package berth.refusals;

import berth.reservation.ClusterId;
import berth.reservation.RefusalCode;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import berth.sla.Excerpt;
import berth.sla.RequestedTerms;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A request for room that was refused.
 *
 * @param at when it was refused, in seconds since the epoch
 * @param kind the kind of request
 * @param account the account that asked
 * @param project the project that the request is filed under
 * @param clusters the clusters that the request allows; empty if any cluster will do
 * @param reservation the reservation that the request would change; empty for a new reservation
 * @param terms the requested terms
 * @param start the exact start that was requested, in seconds since the epoch
 * @param code the code of the refusal
 * @param detail why the request was refused and what to do about it, at most {@value #MAX_DETAIL} characters
 * @param wouldFit the changes that would have made it fit, as far as the client got to see them
 * @param requestId the id of the call; empty if the request was decided later than in a call
 */
public record RefusedRequest(
        long at,
        Kind kind,
        AccountName account,
        Optional<String> project,
        Set<ClusterId> clusters,
        Optional<ReservationId> reservation,
        RequestedTerms terms,
        OptionalLong start,
        RefusalCode code,
        String detail,
        WouldHaveFit wouldFit,
        Optional<String> requestId) {

    private static final int MAX_DETAIL = 1000;

    /** The kinds of requests for room. */
    public enum Kind {
        /** A reservation, or a request that was collected or waited for room. */
        RESERVATION,
        /** A change of agreed terms, or a proposal for one. */
        RENEGOTIATION,
        /** A longer run. */
        EXTENSION,
        /** An occurrence of a series, or the first of a series that was refused as a whole. */
        SERIES,
        /** A part of a co-allocation. */
        COALLOCATION;

        /** Whether such a request asks for a new reservation. */
        public boolean isForNewReservation() {
            return this != RENEGOTIATION && this != EXTENSION;
        }
    }

    /**
     * The changes that would have made a request fit, each on its own.
     *
     * @param deadline the earliest deadline that would do, in seconds since the epoch
     * @param pes the largest number of PEs
     * @param duration the longest duration in seconds
     */
    public record WouldHaveFit(OptionalLong deadline, OptionalInt pes, OptionalLong duration) {

        /** Nothing is known that would have fitted. */
        public static final WouldHaveFit NOTHING =
                new WouldHaveFit(OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty());
    }

    /** Shortens the detail if it is too long, and replaces the characters that PostgreSQL does not store. */
    public RefusedRequest {
        detail = Excerpt.of(detail, MAX_DETAIL);
    }

    /** Returns the time from the request to its earliest start, in seconds; 0 if it may start at once. */
    long lead() {
        return Math.max(0, start.orElse(terms.readyTime().orElse(at)) - at);
    }
}
