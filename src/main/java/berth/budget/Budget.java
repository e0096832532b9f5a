package berth.budget;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * A project's grants and what was taken of them. A value: what happens makes another one of it. Grants are used up in the order in which
 * they end. What is left of one at its end is lost; what is held then stays covered, and can be spent again if it comes back.
 *
 * @param grants in the order in which they are used up, all of one unit; at least one
 * @param spent what is recorded
 * @param pending what was granted and is not recorded yet
 */
public record Budget(List<Grant> grants, BudgetUse spent, BigDecimal pending) {

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    public Budget {
        grants = grants.stream().sorted(Grant.IN_ORDER_OF_USE).toList();
    }

    /**
     * How a budget stands.
     *
     * @param granted what has been granted so far, without what has expired
     * @param expired what was left of grants at their ends
     * @param creditLimit what may be spent beyond that
     * @param available what can be spent now; less than 0 where more was promised than is there by now
     */
    public record Balance(
            BudgetUnit unit,
            BigDecimal granted,
            BigDecimal expired,
            BudgetUse spent,
            BigDecimal creditLimit,
            BigDecimal available) {}

    /** What its amounts are in. */
    public BudgetUnit unit() {
        return grants.getFirst().unit();
    }

    /** How it stands at {@code now}, where every grant that is over has expired. */
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

    /** What is held and charged of it, recorded or not. */
    public BigDecimal taken() {
        return spent.taken().add(pending);
    }

    private static BigDecimal sum(List<BigDecimal> amounts) {
        return amounts.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** When a grant begins or ends next, after {@code now}. */
    public OptionalLong nextChange(long now) {
        return grants.stream()
                .flatMapToLong(grant -> LongStream.of(grant.from(), grant.until()))
                .filter(at -> at > now)
                .min();
    }

    /** The first grant that is over by {@code now} and has not expired. */
    public Optional<Grant> toExpire(long now) {
        return grants.stream()
                .filter(grant -> grant.isOver(now) && grant.expired().isEmpty())
                .findFirst();
    }

    /**
     * What is left of a grant at its end, when so much was taken of the budget: what was taken is paid by grants that ended before it first.
     *
     * @param taken until its end
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

    /** With a grant that is new, or as it is now. */
    public Budget with(Grant grant) {
        var others = new ArrayList<>(
                grants.stream().filter(one -> !one.id().equals(grant.id())).toList());
        others.add(grant);
        return new Budget(others, spent, pending);
    }

    /** The grant of that name. */
    public Optional<Grant> grant(String id) {
        return grants.stream().filter(grant -> grant.id().equals(id)).findAny();
    }

    /** Where so much was recorded. */
    public Budget spending(BudgetUse other) {
        return new Budget(grants, other, pending);
    }

    /** Where so much more was granted and is not recorded yet; less if that is negative. */
    public Budget pending(BigDecimal more) {
        return new Budget(grants, spent, pending.add(more));
    }

    /** The highest share, of those that are told, that is taken of what is granted; 0: none. */
    public int percentReached(long now) {
        var granted = granted(now);
        return LowBudget.PERCENTS.stream()
                .filter(percent ->
                        taken().multiply(HUNDRED).compareTo(granted.multiply(BigDecimal.valueOf(percent))) >= 0)
                .filter(_ -> taken().signum() > 0)
                .reduce(0, Math::max);
    }

    /** What is told of it where a share is reached. */
    public LowBudget low(String project, int percent, long now) {
        return new LowBudget(project, percent, unit(), granted(now), taken());
    }
}
