package berth.reservation;

import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Terms;

/**
 * Other terms that the provider offers the owner of a reservation that waits (paper 000, section 2.1: a provider that needs
 * more freedom asks for it, and pays for it). Until the owner has answered, the agreed terms hold.
 *
 * @param number the version of the reservation that offered it
 * @param terms what is offered, complete
 * @param incentive what the owner gets off the price for accepting
 * @param by the administrator who offers it
 * @param at since when, seconds since the epoch
 * @param expiresAt until when it can be accepted, seconds since the epoch
 */
public record Proposal(int number, Terms terms, Money incentive, AccountName by, long at, long expiresAt) {

    /** @throws IllegalArgumentException if it expires before it is there */
    public Proposal {
        if (expiresAt <= at) {
            throw new IllegalArgumentException("A proposal of second %d cannot expire at %d.".formatted(at, expiresAt));
        }
    }

    /** Whether it can still be accepted. */
    public boolean isOpen(long now) {
        return now < expiresAt;
    }
}
