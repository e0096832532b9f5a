package berth.archive;

import static berth.store.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.booking.store.PostgresRecords;
import berth.cluster.Cluster;
import berth.database.DataDirectory;
import berth.database.Database;
import berth.engine.Backups.Backup;
import berth.engine.Backups.Failure;
import berth.engine.Desks;
import berth.engine.Ledger;
import berth.engine.NoBudgets;
import berth.engine.SettableClock;
import berth.runtime.Threads;
import berth.store.PersistenceSuite;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Backups are made on time, the right number is kept, and a bad one does not count. */
@SpringBootTest(classes = PersistenceSuite.Wiring.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@DirtiesContext
class PostgresBackupsIT {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path directory;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) {
        registry.add("berth.data-dir", () -> directory.resolve("data").toString());
        // without desks
        registry.add("management.endpoint.health.validate-group-membership", () -> false);
    }

    @Autowired
    Ledger ledger;

    @Autowired
    PostgresRecords records;

    @Autowired
    Database database;

    @Autowired
    DataDirectory data;

    @Autowired
    DataSource dataSource;

    @Autowired
    Flyway flyway;

    @Autowired
    SettableClock clock;

    @Test
    void berthMakesABackupWhenItIsDueAndKeepsTheLastGoodOnes() throws Exception {
        clock.set(NOON);
        try (var desks = new Desks(
                ledger,
                records,
                NoBudgets.none(),
                Threads.OF_THE_JVM,
                clock,
                Duration.ofSeconds(20),
                new SimpleMeterRegistry())) {
            desks.create(Cluster.of("demo", 8), Optional.empty());
        }
        records.clusters();
        var registry = new SimpleMeterRegistry();
        var settings = new PostgresBackups.Settings(directory.resolve("backups").toString(), Duration.ofHours(24), 2);
        try (var backups = new PostgresBackups(database, data, flyway, clock, settings, registry)) {
            var lastGood = registry.get("berth.backup.last.good").gauge();
            assertThat(lastGood.value()).isZero();

            backups.startInTime();
            assertThat(made(backups)).isEmpty();
            assertThat(files(backups)).containsExactly("berth-2027-01-01T120000Z.zip");
            assertThat(lastGood.value()).isEqualTo(NOON.getEpochSecond());

            clock.advance(Duration.ofHours(24).minusSeconds(1));
            backups.startInTime();
            assertThat(backups.status().runningSince()).isEmpty();
            clock.advance(Duration.ofSeconds(1));
            backups.startInTime();
            assertThat(made(backups)).isEmpty();
            clock.advance(Duration.ofHours(24));
            backups.startInTime();
            assertThat(made(backups)).isEmpty();
            assertThat(files(backups)).containsExactly("berth-2027-01-03T120000Z.zip", "berth-2027-01-02T120000Z.zip");
            double good = lastGood.value();
            assertThat(good).isEqualTo(clock.instant().getEpochSecond());

            new JdbcTemplate(dataSource).update("update head set sequence = sequence + 1");
            clock.advance(Duration.ofHours(24));
            backups.startInTime();
            assertThat(made(backups)).hasValueSatisfying(failure -> {
                assertThat(failure.at()).isEqualTo(clock.instant());
                assertThat(failure.reason()).startsWith("Berth read the backup back and found a fault: ");
            });
            assertThat(lastGood.value()).isEqualTo(good);
            assertThat(files(backups)).hasSize(2);
            try (var left = Files.list(directory.resolve("backups"))) {
                assertThat(left).as("with nothing half-made").hasSize(2);
            }

            clock.advance(Duration.ofMinutes(59));
            backups.startInTime();
            assertThat(backups.status().runningSince()).as("not at once again").isEmpty();
        }
    }

    /** Waits for the end of the backup in progress; returns why it failed. */
    private static Optional<Failure> made(PostgresBackups backups) {
        assertThat(backups.status().runningSince()).isPresent();
        await().atMost(Duration.ofMinutes(2))
                .until(() -> backups.status().runningSince().isEmpty());
        return backups.status().failure();
    }

    private static List<String> files(PostgresBackups backups) {
        return backups.status().good().stream().map(Backup::file).toList();
    }
}
