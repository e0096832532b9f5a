package berth.store;

import berth.database.Database;
import berth.database.ProjectionProgress;
import berth.reservation.ClusterId;
import berth.runtime.FailureStreak;
import berth.runtime.StorageUnavailable;
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
 * Keeps the tables for reading up to date with the journal, in its own thread. It applies rows in order and exactly once, because the
 * position is recorded in the same transaction. A crash may lose the last rows, but then the position as well.
 */
public final class Projector implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Projector.class);

    /** How long it waits for more rows to apply at once, while no reader waits for the tables. */
    private static final Duration GATHERING = Duration.ofMillis(20);

    private static final Duration RETRY = Duration.ofMillis(500);

    /** After this time without progress, the service reports a problem. */
    private static final Duration STUCK = Duration.ofSeconds(10);

    private static final Duration[] LAGS = Stream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final Database database;
    private final ProjectionProgress progress;
    private final InstantSource clock;
    private final Timer lag;
    private final Thread thread = Thread.ofPlatform().daemon().name("projector").unstarted(this::work);

    private final FailureStreak streak =
            new FailureStreak(log, "The journal could not be copied to the tables for reading; Berth tries again.");

    private volatile boolean isClosed;

    /** Clusters whose tables failed to follow, which was logged. */
    private final Set<ClusterId> failing = new HashSet<>();

    public Projector(Database database, ProjectionProgress progress, InstantSource clock, MeterRegistry registry) {
        this.database = database;
        this.progress = progress;
        this.clock = clock;
        this.lag = Timer.builder("berth.projection.lag")
                .description(
                        "Time from when a batch is recorded until the tables for reading have it. While nobody reads, the projector"
                                + " gathers batches for up to 20 ms.")
                .serviceLevelObjectives(LAGS)
                .register(registry);
        Gauge.builder("berth.projection.behind", progress, ProjectionProgress::behind)
                .description(
                        "Events that are recorded and not yet in the tables for reading. From 20,000 on the desks wait.")
                .baseUnit("events")
                .register(registry);
    }

    void start() {
        thread.start();
    }

    /** Whether the tables follow the journal. */
    public boolean isHealthy() {
        return progress.stuckFor().compareTo(STUCK) < 0;
    }

    /** Stops. Rows that are not in the tables yet are written to them after the next start. */
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

    /** Applies rows to the tables of a cluster, if that is possible now. */
    private boolean isFollowed(ClusterId cluster) {
        try {
            follow(cluster);
            failing.remove(cluster);
            return true;
        } catch (StorageUnavailable e) {
            log.debug("Cluster {}: the tables for reading wait for the database.", cluster, e);
        } catch (RuntimeException | Error e) {
            if (failing.add(cluster)) {
                log.error(
                        "Cluster {}: recorded events could not be copied to the tables for reading, so lists and single reads are unavailable; Berth tries again.",
                        cluster,
                        e);
            }
        }
        return false;
    }

    /** Applies the whole journal to the tables of a cluster. */
    void catchUp(ClusterId cluster) {
        while (follow(cluster)) {
            log.debug("Cluster {}: the tables for reading catch up with the journal.", cluster);
        }
    }

    /** Applies some rows to the tables of a cluster; returns whether there were any. */
    private boolean follow(ClusterId cluster) {
        long resets = progress.resets();
        var step = database.write(session -> {
            session.doWork(Projector::commitWithoutWaiting);
            return Projection.follow(session, cluster);
        });
        progress.projected(cluster, step.position(), resets);
        step.oldest().ifPresent(at -> lag.record(Duration.between(at, clock.instant())));
        return step.oldest().isPresent();
    }

    /** Commits without waiting for the disk. Rows that a crash loses are applied again from the journal, see {@link ProjectionProgress#reset}. */
    private static void commitWithoutWaiting(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("set local synchronous_commit = off");
        }
    }
}
