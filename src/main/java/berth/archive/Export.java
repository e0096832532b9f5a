package berth.archive;

import berth.archive.Manifest.ClusterContent;
import berth.archive.Manifest.TableContent;
import berth.database.Database;
import berth.database.Sql;
import berth.reservation.ClusterId;
import berth.store.Digests;
import berth.store.JournaledSchedule;
import berth.store.ScheduleDigest;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.hibernate.StatelessSession;
import org.postgresql.PGConnection;

/**
 * Exports everything recorded to a file, as of one moment: a ZIP archive with an entry for each table and a {@link Manifest}. The service
 * can keep running.
 */
final class Export {

    /**
     * Lists each table after those to which it refers. Flyway creates its own tables again, and the list of running instances means nothing
     * in another database.
     */
    private static final String TABLES = """
            with recursive refers (one, other) as (
                select conrelid, confrelid from pg_constraint
                where contype = 'f' and conrelid <> confrelid and connamespace = current_schema()::regnamespace
            ), depth (oid, depth) as (
                select oid, 0 from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
                union all select one, depth + 1 from depth join refers on other = oid
            )
            select relname from depth join pg_class using (oid) where relname not in ('flyway_schema_history', 'instance')
            group by relname order by max(depth), relname
            """;

    private static final String COLUMNS = """
            select attname from pg_attribute where attrelid = ?::regclass and attnum > 0 and not attisdropped order by attnum
            """;

    private final Connection connection;

    private Export(Connection connection) {
        this.connection = connection;
    }

    /**
     * Exports a database with this Berth's schema.
     *
     * @param file the file to write or replace
     * @throws UncheckedIOException if it cannot be written
     */
    static Manifest write(Database database, int schema, Instant now, Path file) {
        return database.inTransaction(session -> {
            session.doWork(Export::beginSnapshot);
            var clusters = clusters(session);
            return session.doReturningWork(connection -> new Export(connection).write(file, schema, now, clusters));
        });
    }

    /**
     * Exports a database that may have an older schema, without information that only this Berth's schema has.
     *
     * @param file the file to write or replace
     * @throws UncheckedIOException if it cannot be written
     */
    static Manifest write(Connection connection, int schema, Instant now, Path file) throws SQLException {
        connection.setAutoCommit(false);
        beginSnapshot(connection);
        var manifest = new Export(connection).write(file, schema, now, List.of());
        connection.rollback();
        return manifest;
    }

    private static void beginSnapshot(Connection connection) throws SQLException {
        Sql.takeTime(connection);
        try (var statement = connection.createStatement()) {
            statement.execute("set transaction isolation level repeatable read, read only");
            // assembling large schedules between two statements can take long
            statement.execute("set local idle_in_transaction_session_timeout = 0");
        }
    }

    /** Returns each cluster's last sequence and the digest of its schedule, from the tables and the later entries of the journal. */
    private static List<ClusterContent> clusters(StatelessSession session) {
        return session.createNativeQuery("select cluster from head order by cluster", String.class).stream()
                .map(ClusterId::new)
                .map(cluster -> {
                    var reached = JournaledSchedule.inTables(session, cluster);
                    reached = session.doReturningWork(reached::withJournal);
                    return new ClusterContent(
                            cluster.value(), reached.sequence(), ScheduleDigest.of(reached.schedule()));
                })
                .toList();
    }

    private Manifest write(Path file, int schema, Instant now, List<ClusterContent> clusters) throws SQLException {
        try (var zip = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
            zip.setLevel(Deflater.BEST_SPEED);
            var contents = new ArrayList<TableContent>();
            for (var table : names(TABLES)) {
                contents.add(write(zip, table));
            }
            var manifest = new Manifest(
                    Manifest.FORMAT,
                    version(),
                    names("show server_version").stream().findAny(),
                    schema,
                    now,
                    contents,
                    clusters);
            zip.putNextEntry(new ZipEntry(Manifest.NAME));
            zip.write(manifest.write());
            zip.closeEntry();
            return manifest;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TableContent write(ZipOutputStream zip, String table) throws SQLException, IOException {
        var columns = names(COLUMNS, table);
        zip.putNextEntry(new ZipEntry(new TableContent(table, columns, 0, "").entry()));
        var digest = Digests.sha256();
        OutputStream out = new DigestOutputStream(zip, digest);
        long rows = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyOut("copy (select %s from %s) to stdout".formatted(String.join(", ", columns), table), out);
        zip.closeEntry();
        return new TableContent(table, columns, rows, HexFormat.of().formatHex(digest.digest()));
    }

    private List<String> names(String sql, Object... parameters) throws SQLException {
        try (var statement = Sql.prepare(connection, sql, parameters);
                var found = statement.executeQuery()) {
            var names = new ArrayList<String>();
            while (found.next()) {
                names.add(found.getString(1));
            }
            return names;
        }
    }

    static String version() {
        var version = Export.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
