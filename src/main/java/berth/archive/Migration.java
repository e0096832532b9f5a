package berth.archive;

import berth.database.DataDirectory;
import berth.database.Durability;
import berth.database.Schema;
import berth.database.StartRefused;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.flywaydb.core.Flyway;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** Migrates the database to this Berth's schema. It first exports the present content, because a migration cannot be reversed. */
public record Migration(JdbcConnectionDetails database, Durability durability, Path backups, InstantSource clock) {

    private static final Logger log = LoggerFactory.getLogger(Migration.class);

    /**
     * Migrates the database.
     *
     * @throws StartRefused if the database comes from a later Berth or from one before 0.1.0, or cannot be exported
     */
    public void migrate(Flyway flyway) {
        Schema.requireKnown(flyway);
        var version = Schema.version(flyway);
        if (version.isPresent() && flyway.info().pending().length > 0) {
            export(version.getAsInt());
        }
        Schema.migrate(flyway);
    }

    private void export(int version) {
        var file = backups.resolve("before-migration-from-%d.zip".formatted(version));
        try (var connection = durability.connect(database, "berth start")) {
            Files.createDirectories(backups);
            var draft = backups.resolve(file.getFileName() + ".part");
            DataDirectory.createPrivateFile(draft);
            Export.write(connection, version, clock.instant().truncatedTo(ChronoUnit.SECONDS), draft);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            log.info(
                    "The database is being migrated from version {} of the schema. An export of its content before the migration is in {}.",
                    version,
                    file);
        } catch (IOException | UncheckedIOException | SQLException e) {
            throw new StartRefused(
                    "Before the database is migrated from version %d of the schema, Berth must export it to %s, but cannot: %s"
                            .formatted(version, file, e),
                    "Make room in that directory, or set BERTH_BACKUP_DIR to another one.");
        }
    }
}
