package berth.budget;

import berth.sla.AccountName;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Optional;

/**
 * An amount that a project may spend during some time.
 *
 * @param project the project's id
 * @param id the name of the grant within the project, such as the name of an allocation
 * @param unit the unit of the amounts
 * @param amount the amount, more than 0
 * @param creditLimit how much may be spent beyond the grants while this one lasts, not negative
 * @param from the start, in seconds since the epoch
 * @param until the end, in seconds since the epoch
 * @param by the administrator who made the grant
 * @param createdAt when the grant was made, in seconds since the epoch
 * @param expired what was left at the end; empty until the expiry is recorded
 */
public record Grant(
        String project,
        String id,
        BudgetUnit unit,
        BigDecimal amount,
        BigDecimal creditLimit,
        long from,
        long until,
        AccountName by,
        long createdAt,
        Optional<BigDecimal> expired) {

    /** Orders grants by their ends: the one that ends first is used first. */
    static final Comparator<Grant> IN_ORDER_OF_USE =
            Comparator.comparingLong(Grant::until).thenComparing(Grant::id);

    boolean isOver(long now) {
        return until <= now;
    }

    boolean isValid(long now) {
        return from <= now && now < until;
    }

    /** Returns the part of the grant that was spent or can still be spent. */
    BigDecimal kept() {
        return amount.subtract(expired.orElse(BigDecimal.ZERO));
    }

    /** Returns the same grant, expired with that rest. */
    public Grant endedWith(BigDecimal left) {
        return new Grant(project, id, unit, amount, creditLimit, from, until, by, createdAt, Optional.of(left));
    }

    /** Returns the same grant with another end, in seconds since the epoch. */
    public Grant endingAt(long end) {
        return new Grant(
                project, id, unit, amount, creditLimit, Math.min(from, end), end, by, createdAt, Optional.empty());
    }
}
