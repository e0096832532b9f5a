package berth.series;

import berth.engine.ActiveInstanceTask;
import berth.engine.Desks;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Periodically decides occurrences and records maintenance windows as the horizon reaches them, on the active instance. */
final class SeriesClock {

    private final SeriesBookings series;
    private final Maintenances maintenances;
    private final ActiveInstanceTask whileDeciding;

    SeriesClock(Desks desks, SeriesBookings series, Maintenances maintenances) {
        this.series = series;
        this.maintenances = maintenances;
        this.whileDeciding = new ActiveInstanceTask(
                desks,
                LoggerFactory.getLogger(SeriesClock.class),
                "The occurrences of series and windows of maintenance that are due are not recorded yet; Berth tries again.");
    }

    /** A fixed-rate task has its own thread. */
    @Scheduled(fixedRateString = "PT10S")
    void advance() {
        whileDeciding.once(() -> {
            // first, so that no occurrence takes the place of a maintenance
            maintenances.advance();
            series.advance();
        });
    }
}
