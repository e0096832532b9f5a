package berth.budget;

import java.math.BigDecimal;

/**
 * The amounts that reservations have taken from a budget, in its unit.
 *
 * @param held the amount held for live reservations
 * @param charged the amount charged for reservations that have ended
 * @param credited the amount credited for breaches, which the provider owes; it is money, and no budget
 */
public record BudgetUse(BigDecimal held, BigDecimal charged, BigDecimal credited) {

    /** No use at all. */
    public static final BudgetUse NOTHING = new BudgetUse(BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO);

    /** Returns the amount taken from the budget. */
    public BigDecimal taken() {
        return held.add(charged);
    }

    /** Returns the sum of both. */
    public BudgetUse and(BudgetUse other) {
        return new BudgetUse(held.add(other.held), charged.add(other.charged), credited.add(other.credited));
    }

    /** Returns the use after the dues of a reservation have changed from {@code before} to {@code after}. */
    public BudgetUse with(BudgetUnit unit, Dues before, Dues after) {
        return new BudgetUse(
                held.add(unit.of(after.held())).subtract(unit.of(before.held())),
                charged.add(unit.of(after.charged())).subtract(unit.of(before.charged())),
                credited.add(unit.of(after.credited())).subtract(unit.of(before.credited())));
    }
}
