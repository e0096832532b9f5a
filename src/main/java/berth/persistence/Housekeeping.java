package berth.persistence;

import berth.desk.StorageUnavailable;
import berth.persistence.Retention.Swept;
import berth.reservation.ClusterId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.scheduling.annotation.Scheduled;

/** Lets go, from time to time, of what need not be kept any longer: keys that no longer count, and what ended long ago. */
final class Housekeeping {

    private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

    /** Longer than keys count, whose first results must be found. */
    private static final Duration SHORTEST = Duration.ofDays(2);

    private final PostgresRecords records;
    private final Database database;
    private final InstantSource clock;
    private final Duration retention;

    /**
     * @param retention how long what has ended is kept
     * @throws InvalidConfigurationPropertyValueException if that is less than two days
     */
    Housekeeping(PostgresRecords records, Database database, InstantSource clock, Duration retention) {
        if (retention.compareTo(SHORTEST) < 0) {
            throw new InvalidConfigurationPropertyValueException(
                    "berth.retention", retention, "It must be two days or more, such as 730d.");
        }
        this.records = records;
        this.database = database;
        this.clock = clock;
        this.retention = retention;
    }

    @Scheduled(initialDelayString = "PT1H", fixedDelayString = "PT1H")
    void forgetOldKeys() {
        records.forgetOldKeys();
    }

    @Scheduled(initialDelayString = "PT30M", fixedDelayString = "PT6H")
    void sweep() {
        var before = clock.instant().minus(retention);
        try {
            for (var cluster : records.clusters()) {
                sweep(cluster, before);
            }
            database.write(session -> {
                session.doWork(connection -> Retention.sweepWithoutCluster(connection, before));
                return before;
            });
        } catch (StorageUnavailable e) {
            log.debug("What ended long ago will leave later.", e);
        }
    }

    private void sweep(ClusterId cluster, Instant before) {
        long events = 0;
        Swept swept;
        do {
            swept = database.write(
                    session -> session.doReturningWork(connection -> Retention.sweep(connection, cluster, before)));
            events += swept.events();
        } while (swept.before().isBefore(before));
        if (events > 0) {
            log.info("Cluster {}: {} events of what had ended before {} have left.", cluster, events, before);
        }
    }
}
