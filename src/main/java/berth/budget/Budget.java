package berth.budget;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * A project's grants and what its reservations have taken of them. Immutable. Grants are used in the order of their ends. Whatever is left
 * of a grant at its end expires; amounts that are held at that time stay covered and can be spent again if they are released.
 *
 * @param grants the grants in the order of use, all in one unit; at least one
 * @param spent the recorded use
 * @param pending the amount that was granted to reservations but is not recorded yet
 */
public record Budget(List<Grant> grants, BudgetUse spent, BigDecimal pending) {

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    public Budget {
        grants = grants.stream().sorted(Grant.IN_ORDER_OF_USE).toList();
    }

    /**
     * The balance of a budget.
     *
     * @param granted the total of all grants so far, without expired amounts
     * @param expired what was left of grants at their ends
     * @param creditLimit how much can be spent beyond the grants
     * @param available what can be spent now; negative if the project has committed more than it now has
     */
    public record Balance(
            BudgetUnit unit,
            BigDecimal granted,
            BigDecimal expired,
            BudgetUse spent,
            BigDecimal creditLimit,
            BigDecimal available) {}

    /** Returns the unit of all amounts. */
    public BudgetUnit unit() {
        return grants.getFirst().unit();
    }

    /** Returns the balance at {@code now}. Every grant that has ended by then counts as expired. */
    public Balance balance(long now) {
        var granted = granted(now);
        var limit = sum(grants.stream()
                .filter(grant -> grant.isValid(now))
                .map(Grant::creditLimit)
                .toList());
        return new Balance(
                unit(),
                granted,
                sum(grants.stream().flatMap(grant -> grant.expired().stream()).toList()),
                spent,
                limit,
                granted.subtract(taken()).add(limit));
    }

    private BigDecimal granted(long now) {
        return sum(grants.stream()
                .filter(grant -> grant.from() <= now)
                .map(Grant::kept)
                .toList());
    }

    /** Returns the amount held and charged, including what is not recorded yet. */
    public BigDecimal taken() {
        return spent.taken().add(pending);
    }

    private static BigDecimal sum(List<BigDecimal> amounts) {
        return amounts.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** Returns the next time after {@code now} at which a grant begins or ends. */
    public OptionalLong nextChange(long now) {
        return grants.stream()
                .flatMapToLong(grant -> LongStream.of(grant.from(), grant.until()))
                .filter(at -> at > now)
                .min();
    }

    /** Returns the first grant that has ended by {@code now} and is not marked as expired. */
    public Optional<Grant> toExpire(long now) {
        return grants.stream()
                .filter(grant -> grant.isOver(now) && grant.expired().isEmpty())
                .findFirst();
    }

    /**
     * Returns what is left of a grant at its end. Grants that ended earlier pay first.
     *
     * @param taken the amount taken from the budget by the end of the grant
     */
    public BigDecimal left(Grant over, BigDecimal taken) {
        if (over.from() >= over.until()) {
            return over.amount();
        }
        var before = sum(grants.stream()
                .filter(grant -> Grant.IN_ORDER_OF_USE.compare(grant, over) < 0)
                .map(Grant::kept)
                .toList());
        return over.amount().subtract(taken.subtract(before)).min(over.amount()).max(BigDecimal.ZERO);
    }

    /** Returns the same budget with a new or changed grant. */
    public Budget with(Grant grant) {
        var others = new ArrayList<>(
                grants.stream().filter(one -> !one.id().equals(grant.id())).toList());
        others.add(grant);
        return new Budget(others, spent, pending);
    }

    /** Returns the grant with that id. */
    public Optional<Grant> grant(String id) {
        return grants.stream().filter(grant -> grant.id().equals(id)).findAny();
    }

    /** Returns the same budget with another recorded use. */
    public Budget spending(BudgetUse other) {
        return new Budget(grants, other, pending);
    }

    /** Returns the same budget with {@code more} added to the pending amount; {@code more} may be negative. */
    public Budget pending(BigDecimal more) {
        return new Budget(grants, spent, pending.add(more));
    }

    /** Returns the highest of {@link LowBudget#PERCENTS} that the taken share has reached; 0 if none. */
    public int percentReached(long now) {
        var granted = granted(now);
        return LowBudget.PERCENTS.stream()
                .filter(percent ->
                        taken().multiply(HUNDRED).compareTo(granted.multiply(BigDecimal.valueOf(percent))) >= 0)
                .filter(_ -> taken().signum() > 0)
                .reduce(0, Math::max);
    }

    /** Returns the notice that a share of the budget has been reached. */
    public LowBudget low(String project, int percent, long now) {
        return new LowBudget(project, percent, unit(), granted(now), taken());
    }
}
