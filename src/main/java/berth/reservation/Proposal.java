package berth.reservation;

import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Terms;

/**
 * Other terms that the provider offers to the owner of a waiting reservation (paper 000, section 2.1: a provider that needs more freedom
 * asks for it and pays for it). The agreed terms hold until the owner accepts.
 *
 * @param number the version of the reservation that made the offer
 * @param terms the offered terms, complete
 * @param incentive the amount taken off the price if the owner accepts
 * @param by the administrator who made the offer
 * @param at when it was made, in seconds since the epoch
 * @param expiresAt the time until which it can be accepted, in seconds since the epoch
 */
public record Proposal(int number, Terms terms, Money incentive, AccountName by, long at, long expiresAt) {

    /** @throws IllegalArgumentException if it expires before it is made */
    public Proposal {
        if (expiresAt <= at) {
            throw new IllegalArgumentException(
                    "A proposal made at second %d cannot expire at second %d.".formatted(at, expiresAt));
        }
    }

    /** Whether the offer can still be accepted at {@code now}. */
    public boolean isOpen(long now) {
        return now < expiresAt;
    }
}
