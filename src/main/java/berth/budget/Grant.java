package berth.budget;

import berth.sla.AccountName;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Optional;

/**
 * What a project may spend for some time.
 *
 * @param project whose it is
 * @param id its name within the project, such as that of an allocation
 * @param unit of the amounts
 * @param amount more than 0
 * @param creditLimit what may be spent beyond what is granted while it lasts; not negative
 * @param from since when it can be spent, seconds since the epoch
 * @param until until when, seconds since the epoch
 * @param by the administrator who has made it
 * @param createdAt seconds since the epoch
 * @param expired what was left of it at its end, and is lost; empty until that is recorded
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

    /** Those that end sooner are used up first. */
    static final Comparator<Grant> IN_ORDER_OF_USE =
            Comparator.comparingLong(Grant::until).thenComparing(Grant::id);

    boolean isOver(long now) {
        return until <= now;
    }

    boolean isValid(long now) {
        return from <= now && now < until;
    }

    /** What of it was spent, or is left to be. */
    BigDecimal kept() {
        return amount.subtract(expired.orElse(BigDecimal.ZERO));
    }

    /** The same, over, with what was left of it. */
    public Grant endedWith(BigDecimal left) {
        return new Grant(project, id, unit, amount, creditLimit, from, until, by, createdAt, Optional.of(left));
    }

    /** The same, but that it ends then. */
    public Grant endingAt(long end) {
        return new Grant(
                project, id, unit, amount, creditLimit, Math.min(from, end), end, by, createdAt, Optional.empty());
    }
}
