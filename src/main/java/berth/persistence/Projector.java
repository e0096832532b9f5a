package berth.persistence;

import berth.desk.FailureStreak;
import berth.desk.StorageUnavailable;
import berth.reservation.ClusterId;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the tables for reading up to the journal, on a thread of its own: in order, each row once, since how far they have come is
 * recorded with what is written. A crash may lose what it has written last, but then both.
 */
final class Projector implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Projector.class);

    /** How long it waits for more to write at once, while nobody waits for the tables. */
    private static final Duration GATHERING = Duration.ofMillis(20);

    private static final Duration RETRY = Duration.ofMillis(500);

    /** After so long without a row written the service is not well. */
    private static final Duration STUCK = Duration.ofSeconds(10);

    private static final Duration[] LAGS = Stream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final Database database;
    private final Progress progress;
    private final InstantSource clock;
    private final Timer lag;
    private final Thread thread = Thread.ofPlatform().daemon().name("projector").unstarted(this::work);

    private final FailureStreak streak =
            new FailureStreak(log, "What is recorded could not be taken to the tables; it is tried again.");

    private volatile boolean isClosed;

    /** Clusters whose tables did not take what is recorded, which was told. */
    private final Set<ClusterId> failing = new HashSet<>();

    Projector(Database database, Progress progress, InstantSource clock, MeterRegistry registry) {
        this.database = database;
        this.progress = progress;
        this.clock = clock;
        this.lag = Timer.builder("berth.projection.lag")
                .description("Time from when a batch is recorded until lists and single reads find it")
                .serviceLevelObjectives(LAGS)
                .register(registry);
        Gauge.builder("berth.projection.behind", progress, Progress::behind)
                .description("Events that are recorded and not in the tables for reading yet")
                .baseUnit("events")
                .register(registry);
    }

    void start() {
        thread.start();
    }

    /** Whether the tables follow the journal. */
    boolean isHealthy() {
        return progress.stuckFor().compareTo(STUCK) < 0;
    }

    /** Stops; what is missing then is written after the next start. */
    @Override
    public void close() throws InterruptedException {
        isClosed = true;
        thread.interrupt();
        thread.join(Duration.ofSeconds(5));
    }

    private void work() {
        try {
            while (!isClosed) {
                if (!isAnyFollowed()) {
                    Thread.sleep(RETRY);
                }
            }
        } catch (InterruptedException e) {
            // Berth ends
        }
    }

    private boolean isAnyFollowed() throws InterruptedException {
        try {
            var behind = progress.awaitWork(GATHERING);
            long followed = behind.stream().filter(this::isFollowed).count();
            streak.ended();
            return followed > 0;
        } catch (RuntimeException | Error e) {
            streak.failed(e);
            return false;
        }
    }

    /** Takes the tables of a cluster further, if that can be done now. */
    private boolean isFollowed(ClusterId cluster) {
        try {
            follow(cluster);
            failing.remove(cluster);
            return true;
        } catch (StorageUnavailable e) {
            log.debug("Cluster {}: the tables for reading wait for the database.", cluster, e);
        } catch (RuntimeException | Error e) {
            if (failing.add(cluster)) {
                log.error("Cluster {}: the tables for reading do not take what is recorded.", cluster, e);
            }
        }
        return false;
    }

    /** Takes the tables of a cluster as far as its journal goes. */
    void catchUp(ClusterId cluster) {
        while (follow(cluster)) {
            log.debug("Cluster {}: the tables for reading follow the journal.", cluster);
        }
    }

    /** Takes the tables of a cluster some rows further; answers whether there were any. */
    private boolean follow(ClusterId cluster) {
        long doubts = progress.doubts();
        var step = database.write(session -> {
            session.doWork(Projector::commitWithoutWaiting);
            return Projection.follow(session, cluster);
        });
        progress.projected(cluster, step.position(), doubts);
        step.oldest().ifPresent(at -> lag.record(Duration.between(at, clock.instant())));
        return step.oldest().isPresent();
    }

    /** What is lost of this in a crash is written again from the journal, see {@link Progress#doubt}. */
    private static void commitWithoutWaiting(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("set local synchronous_commit = off");
        }
    }
}
