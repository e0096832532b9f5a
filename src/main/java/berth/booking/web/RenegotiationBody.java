package berth.booking.web;

import berth.booking.terms.TermsBody;
import berth.http.MoneyBody;
import berth.http.Texts;
import berth.reservation.Proposal;
import berth.reservation.Reservation;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A renegotiation.
 *
 * @param number identifies it among the renegotiations of the reservation, and rises with each; null if nothing has changed
 * @param outcome how the renegotiation ended, or its current state
 * @param priceBefore the price of the reservation before
 * @param priceAfter the price of the reservation after the change; null for a proposal that the owner has not accepted
 * @param reservation the reservation after the renegotiation
 */
record RenegotiationBody(
        @Nullable Integer number,
        Outcome outcome,
        @JsonUnwrapped WantedBody wanted,
        MoneyBody priceBefore,
        @Nullable MoneyBody priceAfter,
        ReservationBody reservation)
        implements RenegotiationOrDryRun {

    /** How a renegotiation ended, or its current state. */
    enum Outcome {
        /** The owner requested other terms, and they were agreed. */
        AGREED,
        /** The provider has proposed other terms, and the owner has not answered yet. */
        PROPOSED,
        /** The owner has accepted the provider's proposal, and its terms apply. */
        ACCEPTED,
        /** The owner has declined the provider's proposal. */
        DECLINED,
        /** The proposal can no longer be accepted: its time is over, other terms were agreed, or the reservation began or ended. */
        EXPIRED
    }

    /**
     * The terms that one side wanted.
     *
     * @param by the account that requested other terms: the owner, or the administrator who proposed them
     * @param at when the terms were requested or proposed
     * @param answeredAt when the owner accepted or declined a proposal; null if the owner requested the terms, and while there is no answer
     * @param terms the terms that were agreed or proposed
     * @param incentive the amount that accepting takes off the price; null if the owner requested the terms
     * @param expiresAt the time until which the owner can accept; null if the owner requested the terms
     */
    record WantedBody(
            String by,
            Instant at,
            @Nullable Instant answeredAt,
            TermsBody terms,
            @Nullable MoneyBody incentive,
            @Nullable Instant expiresAt) {

        static WantedBody requested(Reservation after) {
            return new WantedBody(
                    after.origin().owner().value(),
                    Texts.instant(after.status().updatedAt()),
                    null,
                    TermsBody.of(after.terms()),
                    null,
                    null);
        }

        static WantedBody proposed(Proposal proposal, @Nullable Instant answeredAt) {
            return new WantedBody(
                    proposal.by().value(),
                    Texts.instant(proposal.at()),
                    answeredAt,
                    TermsBody.of(proposal.terms()),
                    MoneyBody.of(proposal.incentive()),
                    Texts.instant(proposal.expiresAt()));
        }
    }
}
