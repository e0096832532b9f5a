package berth.archive;

import berth.archive.Manifest.TableContent;
import berth.database.Schema;
import berth.database.StartRefused;
import berth.store.Digests;
import java.io.IOException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.flywaydb.core.api.MigrationVersion;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import tools.jackson.core.JacksonException;

/**
 * Imports an export into an empty database: first in the schema of the export, which is then migrated to this Berth's. Epochs are raised,
 * so that a process that wrote to the old database cannot write to this one.
 */
public final class Import {

    private static final String ANYTHING = """
            select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
            order by relname limit 1
            """;

    /** The columns of the tables that an export may fill. */
    private static final String COLUMNS = """
            select relname, attname from pg_class join pg_attribute on attrelid = pg_class.oid
            where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped
                and relname not in ('flyway_schema_history', 'instance')
            """;

    /** The most bytes of a manifest; one of today has some 10,000. */
    private static final int MAX_MANIFEST = 1 << 20;

    private Import() {}

    /**
     * Returns the manifest of an export.
     *
     * @throws UnusableExport if the file is not an export or comes from a later Berth
     */
    static Manifest manifest(Path file) {
        try (var zip = new ZipFile(file.toFile())) {
            var entry = zip.getEntry(Manifest.NAME);
            if (entry == null) {
                throw new UnusableExport("%s has no %s, so it is not an export of Berth, or it is incomplete."
                        .formatted(file, Manifest.NAME));
            }
            var text = zip.getInputStream(entry).readNBytes(MAX_MANIFEST + 1);
            if (text.length > MAX_MANIFEST) {
                throw new UnusableExport(
                        "%s is damaged: its %s is longer than %d bytes.".formatted(file, Manifest.NAME, MAX_MANIFEST));
            }
            var manifest = Manifest.read(text);
            if (manifest.format() > Manifest.FORMAT) {
                throw new UnusableExport(
                        "%s is an export of format %d, written by Berth %s, but this Berth reads formats up to %d. Use the version that wrote it."
                                .formatted(file, manifest.format(), manifest.berth(), Manifest.FORMAT));
            }
            return manifest;
        } catch (ZipException | JacksonException e) {
            throw new UnusableExport(
                    "%s is not an export of Berth, or it is damaged: %s".formatted(file, e.getMessage()));
        } catch (IOException e) {
            throw new UnusableExport("%s cannot be read: %s".formatted(file, e));
        }
    }

    /**
     * Imports a file into a database.
     *
     * @throws UnusableExport if the file is damaged; the database is then as empty as before
     * @throws StartRefused if the database is not empty
     */
    public static void into(JdbcConnectionDetails database, Path file) throws SQLException {
        var manifest = manifest(file);
        int known = Schema.known(Schema.flyway(database));
        if (manifest.schema() > known) {
            throw new UnusableExport(
                    "%s has version %d of the schema, written by Berth %s, but this Berth knows versions up to %d. Use the version that wrote it."
                            .formatted(file, manifest.schema(), manifest.berth(), known));
        }
        if (manifest.schema() < Schema.FIRST) {
            throw new UnusableExport(
                    "%s has version %d of the schema, written by a Berth before 0.1.0. Import it with Berth 0.1.0, and export it again."
                            .formatted(file, manifest.schema()));
        }
        try (var connection = Schema.connect(database)) {
            requireEmpty(connection);
            boolean isComplete = false;
            try {
                Schema.flyway(database, MigrationVersion.fromVersion(Integer.toString(manifest.schema())))
                        .migrate();
                connection.setAutoCommit(false);
                fill(connection, manifest, file);
                connection.commit();
                connection.setAutoCommit(true);
                Schema.flyway(database).migrate();
                execute(connection, "update head set epoch = epoch + 1, writer = null");
                execute(connection, "update writer set generation = generation + 1, process = null, name = null");
                execute(connection, "analyze");
                isComplete = true;
            } finally {
                if (!isComplete) {
                    connection.setAutoCommit(true);
                    empty(connection);
                }
            }
        }
    }

    private static void requireEmpty(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(ANYTHING)) {
            if (found.next()) {
                throw new StartRefused(
                        "The database is not empty: it has %s.".formatted(found.getString(1)),
                        "Import into an empty database. For the embedded database, set BERTH_DATA_DIR to a"
                                + " new directory.");
            }
        }
    }

    /** Checks that the file names only tables and columns of its schema, because its names become part of statements. */
    private static void requireKnownNames(Connection connection, Manifest manifest, Path file) throws SQLException {
        var known = new HashMap<String, Set<String>>();
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(COLUMNS)) {
            while (found.next()) {
                known.computeIfAbsent(found.getString(1), _ -> new HashSet<>()).add(found.getString(2));
            }
        }
        for (var table : manifest.tables()) {
            if (!known.getOrDefault(table.name(), Set.of()).containsAll(table.columns())
                    || table.columns().isEmpty()) {
                throw new UnusableExport(
                        "%s is damaged: version %d of the schema has no table \"%s\" with the columns that %s names."
                                .formatted(file, manifest.schema(), table.name(), Manifest.NAME));
            }
        }
    }

    private static void fill(Connection connection, Manifest manifest, Path file) throws SQLException {
        requireKnownNames(connection, manifest, file);
        var tables = manifest.tables().stream().map(TableContent::name).collect(Collectors.joining(", "));
        // remove what migrations have inserted
        execute(connection, "truncate " + tables);
        try (var zip = new ZipFile(file.toFile())) {
            for (var table : manifest.tables()) {
                fill(connection, table, zip);
            }
        } catch (IOException e) {
            throw new UnusableExport("%s is damaged: %s".formatted(file, e.getMessage()));
        } catch (PSQLException e) {
            throw new UnusableExport("%s is damaged: %s".formatted(file, e.getMessage()));
        }
    }

    private static void fill(Connection connection, TableContent table, ZipFile zip) throws SQLException, IOException {
        var entry = zip.getEntry(table.entry());
        if (entry == null) {
            throw new ZipException("%s is missing.".formatted(table.entry()));
        }
        var digest = Digests.sha256();
        try (var in = new DigestInputStream(zip.getInputStream(entry), digest)) {
            long rows = connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("copy %s (%s) from stdin".formatted(table.name(), String.join(", ", table.columns())), in);
            var sha256 = HexFormat.of().formatHex(digest.digest());
            if (rows != table.rows() || !sha256.equals(table.sha256())) {
                throw new ZipException("%s has %d rows and the SHA-256 %s, but %s says %d and %s."
                        .formatted(table.entry(), rows, sha256, Manifest.NAME, table.rows(), table.sha256()));
            }
        }
    }

    /** Drops what the import has created; there was nothing before. */
    private static void empty(Connection connection) throws SQLException {
        for (var drop : List.of(
                "select format('drop view %I', relname) from pg_class where relkind = 'v'",
                "select format('drop table %I cascade', relname) from pg_class where relkind = 'r'")) {
            try (var statement = connection.createStatement();
                    var found = statement.executeQuery(drop + " and relnamespace = current_schema()::regnamespace")) {
                while (found.next()) {
                    execute(connection, found.getString(1));
                }
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
