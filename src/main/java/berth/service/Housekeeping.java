package berth.service;

import berth.booking.store.PostgresRecords;
import berth.database.Database;
import berth.reservation.ClusterId;
import berth.runtime.StorageUnavailable;
import berth.store.Retention;
import berth.store.Retention.Swept;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.scheduling.annotation.Scheduled;

/** Periodically removes what need not be kept any longer: expired keys, and what ended long ago. */
public final class Housekeeping {

    private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

    /** The shortest retention. It is longer than idempotency keys are valid, because their first results must be found. */
    private static final Duration SHORTEST = Duration.ofDays(2);

    private final PostgresRecords records;
    private final Database database;
    private final InstantSource clock;
    private final Duration kept;
    private final Retention retention;

    /**
     * Creates the component.
     *
     * @param kept how long ended things are kept
     * @param retention removes them
     * @throws InvalidConfigurationPropertyValueException if {@code kept} is less than two days
     */
    public Housekeeping(
            PostgresRecords records, Database database, InstantSource clock, Duration kept, Retention retention) {
        if (kept.compareTo(SHORTEST) < 0) {
            throw new InvalidConfigurationPropertyValueException(
                    "berth.retention", kept, "It must be at least two days, such as 730d.");
        }
        this.records = records;
        this.database = database;
        this.clock = clock;
        this.kept = kept;
        this.retention = retention;
    }

    @Scheduled(initialDelayString = "PT1H", fixedDelayString = "PT1H")
    public void forgetOldKeys() {
        while (database.isWriter() && records.forgetOldKeys(retention.leaving()) > 0) {
            log.debug("Expired idempotency keys were deleted.");
        }
    }

    @Scheduled(initialDelayString = "PT30M", fixedDelayString = "PT6H")
    public void sweep() {
        if (!database.isWriter()) {
            return;
        }
        var before = clock.instant().minus(kept);
        try {
            for (var cluster : records.clusters()) {
                sweep(cluster, before);
            }
            while (withoutCluster(before) > 0) {
                log.debug("Records without a cluster that ended before {} were deleted.", before);
            }
        } catch (StorageUnavailable e) {
            log.debug("Old records could not be deleted; Berth tries again later.", e);
        }
    }

    private int withoutCluster(Instant before) {
        return database.write(
                session -> session.doReturningWork(connection -> retention.sweepWithoutCluster(connection, before)));
    }

    private void sweep(ClusterId cluster, Instant before) {
        long events = 0;
        long batches = 0;
        Swept swept;
        do {
            swept = database.write(
                    session -> session.doReturningWork(connection -> retention.sweep(connection, cluster, before)));
            events += swept.events();
            batches += swept.batches();
        } while (swept.batches() > 0 || swept.before().isBefore(before));
        if (events + batches > 0) {
            log.info(
                    "Cluster {}: deleted {} events of reservations, jobs, outages and requests that ended before {}, and {} batches of the journal.",
                    cluster,
                    events,
                    before,
                    batches);
        }
    }
}
