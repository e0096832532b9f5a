package berth.series;

import berth.engine.AdmissionControl;
import berth.engine.Desks;
import berth.engine.Records;
import berth.reservation.ReservationId;
import berth.runtime.Threads;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Series and maintenance windows, put together as in the service, for tests outside this package. */
public final class WholeSeries {

    private final SeriesBookings bookings;
    private final Maintenances maintenances;
    private final SeriesClock clock;

    public WholeSeries(
            Desks desks,
            Records records,
            SeriesStore series,
            MaintenanceStore outages,
            Function<AccountName, AccountLimits> limits,
            Supplier<ReservationId> ids,
            Threads threads,
            InstantSource time) {
        bookings = new SeriesBookings(
                desks,
                new AdmissionControl(desks),
                series,
                owner -> Optional.of(limits.apply(owner)),
                ids,
                threads,
                time,
                new SimpleMeterRegistry());
        maintenances = new Maintenances(desks, records, outages, threads, time);
        clock = new SeriesClock(desks, bookings, maintenances);
    }

    public SeriesBookings bookings() {
        return bookings;
    }

    public Maintenances maintenances() {
        return maintenances;
    }

    /** Does the work that the service does every ten seconds. */
    public void advance() {
        clock.advance();
    }

    /** Returns how many of the first occurrences of a series lie wholly before {@code horizon}, in seconds since the epoch. */
    public static int within(Series series, long horizon) {
        return series.within(horizon, BigDecimal.ONE);
    }
}
