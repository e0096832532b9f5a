package berth.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.archive.Manifest.TableContent;
import berth.archive.Verification.Verdict;
import berth.database.DataDirectory;
import berth.database.Database;
import berth.database.Durability;
import berth.database.EmbeddedServer;
import berth.database.OfflineDatabase;
import berth.database.Schema;
import berth.database.StartRefused;
import berth.store.StoredRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import org.flywaydb.core.api.MigrationVersion;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGConnection;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** This Berth reads what each release recorded. {@code src/test/release/fixture.py} makes the exports. */
class ReleaseIT {

    private static final Path RELEASES = Path.of("src/test/resources/berth/archive/releases");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    static List<Path> exports() throws IOException {
        try (var files = Files.list(RELEASES)) {
            return files.filter(file -> file.toString().endsWith(".zip"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theFixtureOfTheFirstReleaseIsKept() throws IOException {
        assertThat(exports()).contains(RELEASES.resolve("0.1.0.zip"));
    }

    @ParameterizedTest
    @MethodSource("exports")
    void theJournalsLeadToTheSchedulesThatWereExported(Path export) throws Exception {
        var counts = counts(export);
        var states = counts.at("/reservation/state");
        try (var verification = new Verification(export, directory.resolve("verification"))) {
            assertThat(verification.verdict()).isInstanceOfSatisfying(Verdict.Good.class, good -> {
                assertThat(good.manifest().clusters()).hasSize(good.clusters());
                assertThat(good.events()).isEqualTo(counts.at("/event/rows").asLong());
                assertThat(good.live())
                        .isEqualTo(List.of("HELD", "CONFIRMED", "RUNNING").stream()
                                .mapToLong(state -> states.path(state).asLong())
                                .sum());
            });
        }
    }

    private static JsonNode counts(Path export) throws IOException {
        var file = export.getFileName().toString().replace(".zip", ".json");
        return JsonMapper.shared().readTree(Files.readString(RELEASES.resolve(file)));
    }

    @ParameterizedTest
    @MethodSource("exports")
    void theImportOfTheReleaseHasEveryRecord(Path export) throws Exception {
        try (var place = new DataDirectory(directory.resolve("data"));
                var server = new EmbeddedServer(place)) {
            Import.into(server, export);
            try (var offline = new OfflineDatabase(server)) {
                requireEveryRecord(offline.database(), export);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("exports")
    void theDatabaseOfTheReleaseOpensInPlace(Path export) throws Exception {
        var backups = directory.resolve("backups");
        try (var place = new DataDirectory(directory.resolve("data"));
                var server = EmbeddedServer.thrownAway(place)) {
            restore(server, export);

            new Migration(server, new Durability(1, _ -> Optional.empty()), backups, InstantSource.system())
                    .migrate(Schema.flyway(server));

            try (var offline = new OfflineDatabase(server)) {
                requireEveryRecord(offline.database(), export);
            }
        }
        var before = backups.resolve(
                "before-migration-from-%d.zip".formatted(Import.manifest(export).schema()));
        assertThat(Import.manifest(before).tables())
                .containsExactlyInAnyOrderElementsOf(Import.manifest(export).tables());
    }

    /** Makes the database that was exported. Migrations led to its version in steps that this Berth no longer has. */
    private static void restore(EmbeddedServer server, Path export) throws Exception {
        var manifest = Import.manifest(export);
        Schema.flyway(server, MigrationVersion.fromVersion(Integer.toString(manifest.schema())))
                .migrate();
        try (var connection = Schema.connect(server);
                var statement = connection.createStatement();
                var zip = new ZipFile(export.toFile())) {
            statement.execute("update flyway_schema_history set installed_rank = version::int, checksum = 7,"
                    + " description = 'filed under projects', script = 'V45__filed_under_projects.sql'");
            statement.execute(
                    "insert into flyway_schema_history select i, i::text, 'step', 'SQL', 'V' || i || '__step.sql', i, 'berth',"
                            + " now(), 1, true from generate_series(1, %d) i".formatted(Schema.FIRST - 1));
            statement.execute("truncate "
                    + manifest.tables().stream().map(TableContent::name).collect(Collectors.joining(", ")));
            for (var table : manifest.tables()) {
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn(
                                "copy %s (%s) from stdin".formatted(table.name(), String.join(", ", table.columns())),
                                zip.getInputStream(zip.getEntry(table.entry())));
            }
        }
    }

    @Test
    void aDatabaseFromBeforeTheFirstReleaseIsRefused() throws Exception {
        try (var place = new DataDirectory(directory.resolve("data"));
                var server = EmbeddedServer.thrownAway(place);
                var connection = Schema.connect(server);
                var statement = connection.createStatement()) {
            var flyway = Schema.flyway(server);
            flyway.migrate();
            statement.execute("delete from flyway_schema_history");
            statement.execute(
                    "insert into flyway_schema_history values (1, '44', 'step', 'SQL', 'V44__step.sql', 7, 'berth', now(), 1, true)");

            assertThatThrownBy(() -> Schema.requireKnown(flyway))
                    .isInstanceOfSatisfying(
                            StartRefused.class,
                            refused -> assertThat(refused.remedy())
                                    .isEqualTo("Start Berth 0.1.0 once; it migrates the database."))
                    .hasMessageContaining("version 44 of the schema");
        }
    }

    private static void requireEveryRecord(Database database, Path export) throws IOException {
        var counts = counts(export);
        var records = records(export);
        database.read(session -> {
            for (var table : counts.properties()) {
                // events of the cluster have its content now
                if (!table.getKey().equals("cluster_version")) {
                    compare(session, table.getKey(), table.getValue());
                }
            }
            readEachRow(session);
            assertThat(StoredRecords.of(session)).isEqualTo(records);
            return true;
        });
    }

    /** Returns the records in the database of the release, as it read them, each as the journal's JSON. */
    private static List<String> records(Path export) throws IOException {
        var file = export.getFileName().toString().replace(".zip", ".ndjson");
        return Files.readAllLines(RELEASES.resolve(file));
    }

    private static void compare(StatelessSession session, String table, JsonNode counts) {
        for (var count : counts.properties()) {
            var column = count.getKey();
            if (column.equals("rows")) {
                assertThat(session.createNativeQuery("select count(*) from " + table, Long.class)
                                .getSingleResult())
                        .as(table)
                        .isEqualTo(count.getValue().asLong());
            } else {
                var expected = new TreeMap<String, Long>();
                count.getValue()
                        .properties()
                        .forEach(each ->
                                expected.put(each.getKey(), each.getValue().asLong()));
                var found = new TreeMap<String, Long>();
                session.createNativeQuery(
                                "select %1$s, count(*) from %2$s where %1$s is not null group by 1"
                                        .formatted(value(session, table, column), table),
                                Object[].class)
                        .list()
                        .forEach(row -> found.put((String) row[0], (Long) row[1]));
                assertThat(found).as("%s.%s", table, column).isEqualTo(expected);
            }
        }
    }

    /** Returns the expression for a column that the release had; it may be a part of the content now. */
    private static String value(StatelessSession session, String table, String column) {
        boolean isColumn = session.createNativeQuery(
                        "select count(*) > 0 from information_schema.columns where table_name = :table and column_name = :column",
                        Boolean.class)
                .setParameter("table", table)
                .setParameter("column", column)
                .getSingleResult();
        return isColumn ? column + "::text" : "content::json ->> '%s'".formatted(column);
    }

    /** Reads the content of each row, which for most is JSON of its time. */
    private static void readEachRow(StatelessSession session) {
        var entities = session.getFactory().getMetamodel().getEntities();
        assertThat(entities).hasSizeGreaterThan(10);
        for (var entity : entities) {
            assertThat(session.createSelectionQuery("from " + entity.getName(), entity.getJavaType())
                            .list())
                    .as(entity.getName())
                    .doesNotContainNull();
        }
    }
}
