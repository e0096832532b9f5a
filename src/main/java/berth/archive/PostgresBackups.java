package berth.archive;

import berth.archive.Manifest.ClusterContent;
import berth.archive.Verification.Verdict;
import berth.database.DataDirectory;
import berth.database.Database;
import berth.database.Schema;
import berth.engine.Backups;
import berth.reservation.ClusterId;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Makes backups as files in a directory, one at a time in its own thread. A file gets its final name only after its verification has
 * succeeded.
 */
public final class PostgresBackups implements Backups, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PostgresBackups.class);

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'berth-'yyyy-MM-dd'T'HHmmss'Z.zip'").withZone(ZoneOffset.UTC);

    private static final Pattern NAMES = Pattern.compile("berth-\\d{4}-\\d\\d-\\d\\dT\\d{6}Z\\.zip");
    private static final String DRAFT = "backup.part";

    /** The pause after a failed attempt. */
    private static final Duration RETRY = Duration.ofHours(1);

    private final Database database;
    private final DataDirectory data;
    private final Path directory;
    private final Flyway flyway;
    private final InstantSource clock;
    private final Settings settings;

    private Optional<Instant> runningSince = Optional.empty();
    private Optional<Failure> failure = Optional.empty();
    private volatile boolean isClosed;
    private volatile @Nullable Thread thread;
    private volatile @Nullable Verification verification;

    /**
     * The settings below {@code berth.backup}.
     *
     * @param dir the directory of the backups; {@code backups} in the data directory if empty
     * @param every how often a backup is made; zero means only on request
     * @param keep how many backups are kept
     */
    @ConfigurationProperties("berth.backup")
    public record Settings(
            @DefaultValue("") String dir,
            @DefaultValue("0s") Duration every,
            @DefaultValue("7") int keep) {

        /** @throws IllegalArgumentException if a value is out of range */
        public Settings {
            if (every.isNegative()) {
                throw new IllegalArgumentException("Backups cannot be made every %s.".formatted(every));
            }
            if (keep < 1) {
                throw new IllegalArgumentException("At least one backup must be kept, not %d.".formatted(keep));
            }
        }

        public Path directory(DataDirectory data) {
            return dir.isBlank() ? data.resolve("backups") : Path.of(dir).toAbsolutePath();
        }
    }

    public PostgresBackups(
            Database database,
            DataDirectory data,
            Flyway flyway,
            InstantSource clock,
            Settings settings,
            MeterRegistry registry) {
        this.database = database;
        this.data = data;
        this.directory = settings.directory(data);
        this.flyway = flyway;
        this.clock = clock;
        this.settings = settings;
        Verification.removeLeftovers(data, scratch());
        Gauge.builder("berth.backup.last.good", this, PostgresBackups::lastGood)
                .description(
                        "Time of the newest good backup, in seconds since the epoch. Without one it is 0 if BERTH_BACKUP_EVERY asks for"
                                + " backups, and NaN if not.")
                .baseUnit("seconds")
                .register(registry);
    }

    private double lastGood() {
        var newest = newest();
        return newest.isPresent() ? newest.get().getEpochSecond() : settings.every.isZero() ? Double.NaN : 0;
    }

    private Optional<Instant> newest() {
        return files().stream()
                .findFirst()
                .map(file -> NAME.parse(file.getFileName().toString(), Instant::from));
    }

    /** Starts a backup if one is due. */
    @Scheduled(initialDelayString = "PT1M", fixedDelayString = "PT1M")
    void startInTime() {
        if (settings.every.isZero() || !database.isWriter()) {
            return;
        }
        var now = clock.instant();
        var last = newest().map(at -> at.plus(settings.every)).orElse(Instant.MIN);
        var retry = failure().map(failed -> failed.at().plus(RETRY)).orElse(Instant.MIN);
        if (!now.isBefore(last) && !now.isBefore(retry)) {
            start();
        }
    }

    @Override
    public synchronized void start() {
        if (runningSince.isEmpty()) {
            runningSince = Optional.of(now());
            thread = Thread.ofPlatform().daemon().name("backup").start(this::make);
        }
    }

    private synchronized Optional<Failure> failure() {
        return failure;
    }

    private synchronized void ended(Optional<Failure> why) {
        runningSince = Optional.empty();
        failure = why;
    }

    private void make() {
        try {
            var made = exported();
            ended(Optional.empty());
            log.info("Made the backup {}.", made);
        } catch (Throwable e) {
            // nothing else would note that this attempt has ended
            ended(Optional.of(new Failure(now(), String.valueOf(e.getMessage()))));
            if (!isClosed) {
                log.error("A backup could not be made; the earlier backups are kept.", e);
            }
        }
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    private Path exported() throws IOException, SQLException {
        Files.createDirectories(directory);
        var draft = directory.resolve(DRAFT);
        var now = now();
        try {
            DataDirectory.createPrivateFile(draft);
            var manifest = Export.write(database, Schema.known(flyway), now, draft);
            verify(draft);
            var file = Files.move(draft, directory.resolve(NAME.format(now)), StandardCopyOption.ATOMIC_MOVE);
            ExportedPositions.record(database, manifest);
            removeOld();
            return file;
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private void verify(Path draft) throws IOException, SQLException {
        try (var running = new Verification(draft, scratch())) {
            verification = running;
            if (running.verdict() instanceof Verdict.Bad(var reason)) {
                throw new UnusableExport("Berth read the backup back and found a fault: " + reason);
            }
        } finally {
            verification = null;
        }
    }

    private Path scratch() {
        return data.resolve("verification");
    }

    private void removeOld() throws IOException {
        for (var old : files().stream().skip(settings.keep).toList()) {
            Files.delete(old);
        }
    }

    private static boolean isBackup(Path file) {
        return NAMES.matcher(file.getFileName().toString()).matches();
    }

    /** Returns the verified backups, newest first. */
    private List<Path> files() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var files = Files.newDirectoryStream(directory, PostgresBackups::isBackup)) {
            var found = new ArrayList<Path>();
            files.forEach(found::add);
            found.sort(Comparator.comparing(Path::getFileName).reversed());
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized Status status() {
        return new Status(
                runningSince,
                failure,
                files().stream()
                        .map(PostgresBackups::backup)
                        .flatMap(Optional::stream)
                        .toList());
    }

    /** Returns the description of a backup; empty if somebody has put another file there or damaged it. */
    private static Optional<Backup> backup(Path file) {
        try {
            var manifest = Import.manifest(file);
            return Optional.of(new Backup(
                    file.getFileName().toString(),
                    manifest.at(),
                    file.toFile().length(),
                    manifest.berth(),
                    manifest.clusters().stream()
                            .collect(Collectors.toMap(each -> new ClusterId(each.name()), ClusterContent::sequence))));
        } catch (UnusableExport e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws InterruptedException {
        isClosed = true;
        var running = verification;
        if (running != null) {
            running.close();
        }
        var making = thread;
        if (making != null) {
            making.join(Duration.ofSeconds(20));
        }
    }
}
