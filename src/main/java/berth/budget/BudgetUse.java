package berth.budget;

import java.math.BigDecimal;

/**
 * What reservations have taken of a budget, in its unit.
 *
 * @param held for those that are live
 * @param charged for those that have ended
 * @param credited for breaches
 */
public record BudgetUse(BigDecimal held, BigDecimal charged, BigDecimal credited) {

    /** Nothing. */
    public static final BudgetUse NOTHING = new BudgetUse(BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO);

    /** Of the budget, all in all. */
    public BigDecimal taken() {
        return held.add(charged).subtract(credited);
    }

    /** Both together. */
    public BudgetUse and(BudgetUse other) {
        return new BudgetUse(held.add(other.held), charged.add(other.charged), credited.add(other.credited));
    }

    /** What becomes of it where a reservation takes something else than before. */
    public BudgetUse with(BudgetUnit unit, Dues before, Dues after) {
        return new BudgetUse(
                held.add(unit.of(after.held())).subtract(unit.of(before.held())),
                charged.add(unit.of(after.charged())).subtract(unit.of(before.charged())),
                credited.add(unit.of(after.credited())).subtract(unit.of(before.credited())));
    }
}
