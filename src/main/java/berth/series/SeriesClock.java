package berth.series;

import berth.desk.Desks;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Has series decided and maintenances recorded as the horizons of their clusters reach them, on the instance that decides. */
final class SeriesClock {

    private static final Logger log = LoggerFactory.getLogger(SeriesClock.class);

    private final Desks desks;
    private final SeriesBookings series;
    private final Maintenances maintenances;
    private final AtomicBoolean isRunning = new AtomicBoolean();

    SeriesClock(Desks desks, SeriesBookings series, Maintenances maintenances) {
        this.desks = desks;
        this.series = series;
        this.maintenances = maintenances;
    }

    /** At a fixed rate it has a thread of its own. */
    @Scheduled(fixedRateString = "PT10S")
    void advance() {
        if (!desks.isWorking() || !isRunning.compareAndSet(false, true)) {
            return;
        }
        try {
            // first, so that no occurrence takes the place of a maintenance
            maintenances.advance();
            series.advance();
        } catch (RuntimeException e) {
            log.debug("Series are not as far as they could be yet.", e);
        } finally {
            isRunning.set(false);
        }
    }
}
