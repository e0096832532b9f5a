package berth.budget;

import java.math.BigDecimal;
import java.util.List;

/**
 * A notice that most or all of a budget is spent.
 *
 * @param project the project's id
 * @param percent the share that was reached, one of {@link #PERCENTS}
 * @param unit the unit of the amounts
 * @param granted the total that can be spent
 * @param taken the amount held and charged
 */
public record LowBudget(String project, int percent, BudgetUnit unit, BigDecimal granted, BigDecimal taken) {

    /** The shares of a budget that cause a notice, in percent. */
    public static final List<Integer> PERCENTS = List.of(80, 100);
}
