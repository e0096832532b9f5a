package berth.series;

import berth.desk.Desks;
import berth.desk.WhileDeciding;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Has series decided and maintenances recorded as the horizons of their clusters reach them, on the instance that decides. */
final class SeriesClock {

    private final SeriesBookings series;
    private final Maintenances maintenances;
    private final WhileDeciding whileDeciding;

    SeriesClock(Desks desks, SeriesBookings series, Maintenances maintenances) {
        this.series = series;
        this.maintenances = maintenances;
        this.whileDeciding = new WhileDeciding(
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
