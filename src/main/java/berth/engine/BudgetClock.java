package berth.engine;

import java.time.InstantSource;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Periodically expires grants and resolves changes to them whose result is unknown, on the active instance. */
final class BudgetClock {

    private final Budgets budgets;
    private final InstantSource clock;
    private final ActiveInstanceTask whileDeciding;

    BudgetClock(Desks desks, Budgets budgets, InstantSource clock) {
        this.budgets = budgets;
        this.clock = clock;
        this.whileDeciding = new ActiveInstanceTask(
                desks,
                LoggerFactory.getLogger(BudgetClock.class),
                "The expiry of grants is not recorded yet; Berth tries again.");
    }

    /** A fixed-rate task has its own thread. */
    @Scheduled(fixedRateString = "PT5S")
    void resolve() {
        whileDeciding.once(() -> budgets.resolve(clock.instant().getEpochSecond()));
    }
}
