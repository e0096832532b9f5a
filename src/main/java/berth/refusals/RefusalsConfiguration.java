package berth.refusals;

import berth.database.Database;
import berth.runtime.SettingChecks;
import berth.runtime.StorageUnavailable;
import berth.runtime.Threads;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Scheduled;

/** Creates the components that record refused requests. */
@Configuration(proxyBeanMethods = false)
class RefusalsConfiguration {

    private static final Logger log = LoggerFactory.getLogger(RefusalsConfiguration.class);

    @Bean
    PostgresRefusals postgresRefusals(Database database, @Value("${berth.refusals.per-account}") int perAccount) {
        SettingChecks.requirePositive("berth.refusals.per-account", perAccount);
        return new PostgresRefusals(database, perAccount);
    }

    @Bean
    RefusalLog refusalLog(PostgresRefusals table, Threads threads, MeterRegistry registry) {
        return new RefusalLog(table::add, threads, registry);
    }

    @Bean
    OldRefusals oldRefusals(
            PostgresRefusals table,
            Database database,
            InstantSource clock,
            @Value("${berth.refusals.retention}") Duration kept) {
        if (kept.compareTo(Duration.ofHours(1)) < 0) {
            throw new InvalidConfigurationPropertyValueException(
                    "berth.refusals.retention", kept, "It must be at least an hour, such as 30d.");
        }
        return new OldRefusals(table, database, clock, kept);
    }

    /** Periodically removes refused requests that need not be kept any longer. */
    record OldRefusals(PostgresRefusals table, Database database, InstantSource clock, Duration kept) {

        @Scheduled(initialDelayString = "PT20M", fixedDelayString = "PT1H")
        void forget() {
            var before = clock.instant().minus(kept);
            try {
                while (database.isWriter() && table.forget(before) > 0) {
                    log.debug("Requests that were refused before {} were deleted.", before);
                }
            } catch (StorageUnavailable e) {
                log.debug("Old refused requests could not be deleted; Berth tries again later.", e);
            }
        }
    }
}
