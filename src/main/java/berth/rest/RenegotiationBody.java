package berth.rest;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A renegotiation.
 *
 * @param number the version of the reservation that it led to; null for a dry run, and if nothing has changed
 * @param outcome how it ended, or where it stands
 * @param by the account that wanted other terms: the owner, or the administrator who proposed them
 * @param at when
 * @param answeredAt when the owner accepted or declined; null for what the owner wanted, and while there is no answer
 * @param terms what was agreed or offered
 * @param incentive what accepting was to take off the price; null if it was the owner's wish
 * @param expiresAt until when the owner could accept; null if it was the owner's wish
 * @param priceBefore what the reservation owed before
 * @param priceAfter what it owes since, or would; null for what was offered, unless it is accepted
 * @param reservation as it is after it, or would be
 */
record RenegotiationBody(
        @Nullable Integer number,
        Outcome outcome,
        String by,
        Instant at,
        @Nullable Instant answeredAt,
        TermsBody terms,
        @Nullable MoneyBody incentive,
        @Nullable Instant expiresAt,
        MoneyBody priceBefore,
        @Nullable MoneyBody priceAfter,
        ReservationBody reservation) {

    /** How a renegotiation ended, or where it stands. */
    enum Outcome {
        /** The owner wanted other terms, which hold. */
        AGREED,
        /** The provider has offered other terms, and the owner has not answered yet. */
        PROPOSED,
        /** The owner has accepted what the provider offered: these terms hold. */
        ACCEPTED,
        /** The owner has declined what the provider offered. */
        DECLINED,
        /** What the provider offered was not answered in time, or other terms were agreed, or the reservation began or ended. */
        EXPIRED
    }
}
