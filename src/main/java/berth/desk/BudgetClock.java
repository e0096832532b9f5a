package berth.desk;

import java.time.InstantSource;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Has grants expire, and what became of changes to them found out, on the instance that decides. */
final class BudgetClock {

    private final Budgets budgets;
    private final InstantSource clock;
    private final ActiveInstanceTask whileDeciding;

    BudgetClock(Desks desks, Budgets budgets, InstantSource clock) {
        this.budgets = budgets;
        this.clock = clock;
        this.whileDeciding = new ActiveInstanceTask(
                desks, LoggerFactory.getLogger(BudgetClock.class), "What has expired of grants is not recorded yet.");
    }

    /** At a fixed rate it has a thread of its own. */
    @Scheduled(fixedRateString = "PT5S")
    void settle() {
        whileDeciding.once(() -> budgets.settle(clock.instant().getEpochSecond()));
    }
}
