package berth.series;

import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.engine.AdmissionControl;
import berth.engine.Desks;
import berth.engine.Records;
import berth.reservation.ReservationId;
import berth.runtime.Threads;
import com.fasterxml.uuid.Generators;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Creates the components for series. */
@Configuration(proxyBeanMethods = false)
class SeriesConfiguration {

    @Bean
    SeriesBookings seriesBookings(
            Desks desks,
            AdmissionControl admission,
            SeriesStore store,
            Accounts accounts,
            Threads threads,
            InstantSource clock,
            MeterRegistry registry) {
        var ids = Generators.timeBasedEpochGenerator();
        return new SeriesBookings(
                desks,
                admission,
                store,
                owner -> accounts.find(owner).map(Account::limits),
                () -> new ReservationId(ids.generate()),
                threads,
                clock,
                registry);
    }

    @Bean
    Maintenances maintenances(
            Desks desks, Records records, MaintenanceStore store, Threads threads, InstantSource clock) {
        return new Maintenances(desks, records, store, threads, clock);
    }

    @Bean
    SeriesClock seriesClock(Desks desks, SeriesBookings series, Maintenances maintenances) {
        return new SeriesClock(desks, series, maintenances);
    }
}
