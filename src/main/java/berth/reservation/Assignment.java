package berth.reservation;

import berth.sla.AccountName;
import java.util.Optional;

/**
 * How an account gets a reservation that it did not request itself.
 *
 * @param to the account
 * @param from the former owner; empty if the reservation was requested for the account
 * @param by the account that requested it, or handed it over
 */
public record Assignment(AccountName to, Optional<AccountName> from, AccountName by) {}
