package berth.desk;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Has grants expire, and what became of changes to them found out, on the instance that decides. */
final class BudgetClock {

    private static final Logger log = LoggerFactory.getLogger(BudgetClock.class);

    private final Desks desks;
    private final Budgets budgets;
    private final InstantSource clock;
    private final AtomicBoolean isRunning = new AtomicBoolean();

    BudgetClock(Desks desks, Budgets budgets, InstantSource clock) {
        this.desks = desks;
        this.budgets = budgets;
        this.clock = clock;
    }

    /** At a fixed rate it has a thread of its own. */
    @Scheduled(fixedRateString = "PT5S")
    void settle() {
        if (!desks.isWorking() || !isRunning.compareAndSet(false, true)) {
            return;
        }
        try {
            budgets.settle(clock.instant().getEpochSecond());
        } catch (RuntimeException e) {
            log.debug("What has expired of grants is not recorded yet.", e);
        } finally {
            isRunning.set(false);
        }
    }
}
