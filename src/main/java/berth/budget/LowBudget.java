package berth.budget;

import java.math.BigDecimal;
import java.util.List;

/**
 * A budget of which most is spent, or all.
 *
 * @param project whose budget
 * @param percent the share that has been reached, one of {@link #PERCENTS}
 * @param unit of the amounts
 * @param granted what there is to spend
 * @param taken what is held and charged of it
 */
public record LowBudget(String project, int percent, BudgetUnit unit, BigDecimal granted, BigDecimal taken) {

    /** Percent of a budget at which it is told. */
    public static final List<Integer> PERCENTS = List.of(80, 100);
}
