package berth.engine;

import berth.budget.BudgetUnit;
import berth.budget.BudgetUse;
import berth.budget.Grant;
import berth.reservation.ClusterId;
import java.util.List;
import java.util.Map;

/** A store without grants. */
public final class NoBudgets implements BudgetStore {

    private NoBudgets() {}

    /** Returns budgets that restrict no project. */
    public static Budgets none() {
        return new Budgets(new NoBudgets());
    }

    @Override
    public List<Grant> grants() {
        return List.of();
    }

    @Override
    public void add(Grant grant) {
        throw new AssertionError("Nobody grants anything: " + grant);
    }

    @Override
    public void end(Grant grant) {
        throw new AssertionError("Nothing was granted that could end: " + grant);
    }

    @Override
    public BudgetUse spent(String project, BudgetUnit unit, Map<ClusterId, Long> upTo, long before) {
        return BudgetUse.NOTHING;
    }
}
