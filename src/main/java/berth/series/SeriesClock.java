package berth.series;

import berth.desk.ActiveInstanceTask;
import berth.desk.Desks;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Has series decided and maintenances recorded as the horizons of their clusters reach them, on the instance that decides. */
final class SeriesClock {

    private final SeriesBookings series;
    private final Maintenances maintenances;
    private final ActiveInstanceTask whileDeciding;

    SeriesClock(Desks desks, SeriesBookings series, Maintenances maintenances) {
        this.series = series;
        this.maintenances = maintenances;
        this.whileDeciding = new ActiveInstanceTask(
                desks, LoggerFactory.getLogger(SeriesClock.class), "Series are not as far as they could be yet.");
    }

    /** At a fixed rate it has a thread of its own. */
    @Scheduled(fixedRateString = "PT10S")
    void advance() {
        whileDeciding.once(() -> {
            // first, so that no occurrence takes the place of a maintenance
            maintenances.advance();
            series.advance();
        });
    }
}
