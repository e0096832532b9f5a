package berth.archive;

import static berth.store.Samples.NOON;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.approval.ApprovalRule;
import berth.approval.ApprovalRules;
import berth.archive.Verification.Verdict;
import berth.booking.store.PostgresRecords;
import berth.budget.BudgetMode;
import berth.cluster.Binding;
import berth.cluster.Cluster;
import berth.database.DataDirectory;
import berth.database.Database;
import berth.database.EmbeddedServer;
import berth.database.Schema;
import berth.database.StartRefused;
import berth.engine.Desks;
import berth.engine.KeyUse;
import berth.engine.Ledger;
import berth.engine.NoBudgets;
import berth.engine.SettableClock;
import berth.pricing.Signal;
import berth.pricing.SignalStep;
import berth.projects.GroupsMode;
import berth.projects.Member;
import berth.projects.MemberOrigin;
import berth.projects.Project;
import berth.projects.ProjectGroups;
import berth.projects.ProjectRole;
import berth.projects.ProjectStore;
import berth.runtime.StorageUnavailable;
import berth.runtime.Threads;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.RandomCommands;
import berth.scheduling.commands.ChangeCluster;
import berth.scheduling.commands.ChangeSignal;
import berth.service.Housekeeping;
import berth.sla.AccountName;
import berth.store.PersistenceSuite;
import berth.store.Projection;
import berth.store.ReservationRow;
import berth.store.Retention;
import berth.store.Samples;
import berth.time.Slot;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pcollections.TreePMap;
import org.postgresql.PGConnection;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Exports are made, verified, imported elsewhere, rebuilt, and shortened. */
@SpringBootTest(classes = PersistenceSuite.Wiring.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@DirtiesContext
class ExportIT {

    private static final AccountName ALICE = new AccountName("alice");

    /** The tables that follow the journal. */
    private static final List<String> TABLES = List.of(
            "cluster",
            "event",
            "idempotency_key",
            "job",
            "ledger_entry",
            "outage",
            "projection",
            "request",
            "reservation");

    private static final ApprovalRule LARGE = new ApprovalRule(
            OptionalInt.of(6),
            OptionalInt.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            Optional.empty());

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
    ProjectStore projects;

    @Autowired
    Database database;

    @Autowired
    DataSource dataSource;

    @Autowired
    Flyway flyway;

    @Autowired
    SettableClock clock;

    private final Cluster cluster = Cluster.of("c" + Samples.id(), 8);
    private final Path file = directory.resolve(cluster.id() + ".zip");

    /** Lets events happen on the cluster, with its tables following, until a reservation is live after at least that many steps. */
    private void live(int steps) {
        clock.set(NOON);
        try (var desks = new Desks(
                ledger,
                records,
                NoBudgets.none(),
                Threads.OF_THE_JVM,
                clock,
                Duration.ofSeconds(20),
                new SimpleMeterRegistry())) {
            desks.create(cluster, Optional.of(new KeyUse(ALICE, "k" + cluster.id(), "print")));
            var commands = new RandomCommands(new Random(11), Samples::id, cluster, clock);
            desks.decide(cluster.id(), new ChangeCluster(cluster, commands.cluster(Binding.EARLY)));
            long now = NOON.getEpochSecond();
            desks.decide(
                    cluster.id(),
                    new ChangeSignal(new Signal("energy", List.of(new SignalStep(now, 1_200_000)), now + 3600)));
            for (int i = 0; i < steps || schedule(desks).reservations().isEmpty(); i++) {
                desks.decide(cluster.id(), commands.next(schedule(desks)));
                clock.advance(Duration.ofMinutes(i % 10 == 0 ? 30 : 0));
            }
        }
        // readers wait for the tables
        records.clusters();
    }

    private ClusterSchedule schedule(Desks desks) {
        return desks.schedule(cluster.id()).orElseThrow();
    }

    private Manifest export() {
        return Export.write(database, Schema.known(flyway), NOON, file);
    }

    private Verdict verdict() throws Exception {
        try (var verification = new Verification(file, directory.resolve("verification"))) {
            return verification.verdict();
        }
    }

    @Test
    void anExportIsGoodAndAnotherServerImportsItUnchanged() throws Exception {
        live(300);
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("""
                    insert into account (name, role, priority, service_class, version, token_hash, feeds, leads, created_at,
                        display_name, role_by_hand, limit_pe_hours_per_week, limit_cool_down, limit_cool_down_after, limit_starts_ahead)
                    values ('reader', 'ADMIN', 5, 'STANDARD', 1, 'h1', '[{"id":"%1$s","secretHash":"h2","createdAt":7}]', '60,3600', now(),
                        'Rea Der', 'VIEWER', 900, 7200, 14400, 3);
                    insert into mailbox (account, address, is_proved, kinds, lead, daily_at, zone, version)
                    values ('reader', 'reader@example.org', true, 'MOVED,FAILED', 1800, 7, 'Europe/Berlin', 4);
                    insert into mail (id, account, kind, cluster, sequence, noted_at, due_at, expires_at, failures)
                    values ('evt.1', 'reader', 'MOVED', '%2$s', 1, now(), now(), now(), 2);
                    insert into mail_told (cluster, sequence) values ('%2$s', 1)
                    """.formatted(Samples.id(), cluster.id()));
        }
        projects.create(Project.fresh("climate", "Climate models", BudgetMode.TRACK, 7));
        projects.put("climate", ALICE, new Member(ProjectRole.OWNER, MemberOrigin.GROUP));
        projects.setGroups(
                "climate", new ProjectGroups(GroupsMode.EXACT, TreePMap.singleton("/hpc/climate", ProjectRole.OWNER)));
        projects.setApproval("climate", new ApprovalRules(List.of(LARGE), 60));
        var manifest = export();

        assertThat(verdict()).isInstanceOfSatisfying(Verdict.Good.class, good -> {
            assertThat(good.events()).isGreaterThan(300);
            assertThat(good.live()).isPositive();
        });
        assertThat(directory.resolve("verification")).doesNotExist();
        try (var place = new DataDirectory(directory.resolve("elsewhere"));
                var server = new EmbeddedServer(place)) {
            Import.into(server, file);
            try (var there = Schema.connect(server);
                    var here = dataSource.getConnection()) {
                for (var table : manifest.tables()) {
                    if (table.name().equals("writer")) {
                        continue; // no row is written there yet
                    }
                    assertThat(rows(there, table.name())).as(table.name()).isEqualTo(rows(here, table.name()));
                }
                assertThat(number(there, "select min(epoch) from head"))
                        .isEqualTo(number(here, "select min(epoch) from head") + 1);
                assertThat(number(there, "select generation from writer"))
                        .isEqualTo(number(here, "select generation from writer") + 1);
            }
            assertThatThrownBy(() -> Import.into(server, file))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining("not empty");
        }
    }

    @Test
    void anImportRejectsDamagedFilesAndOtherFiles() throws Exception {
        live(50);
        assertThat(export().postgresql()).contains(text("show server_version"));
        try (var place = new DataDirectory(directory.resolve("refused"));
                var server = EmbeddedServer.thrownAway(place)) {
            var whole = Files.readAllBytes(file);
            var other = directory.resolve("other.zip");
            Files.writeString(other, "no archive");
            isRefused(server, other, "is not an export of Berth, or it is damaged: ");
            Files.write(other, Arrays.copyOf(whole, whole.length / 2));
            isRefused(server, other, "is not an export of Berth, or it is damaged: ");
            whole[dataOf("event.copy", whole)] ^= 1;
            Files.write(other, whole);
            isRefused(server, other, "damaged: ");

            isRefused(
                    server,
                    changed(Manifest.NAME, _ -> Optional.empty()),
                    "has no manifest.json, so it is not an export of Berth");
            isRefused(
                    server,
                    changed(Manifest.NAME, text -> Optional.of(text.replace("\"format\" : 1", "\"format\" : 2"))),
                    "is an export of format 2, written by Berth development, but this Berth reads formats up to 1. Use the version that wrote it.");
            isRefused(
                    server,
                    changed(
                            Manifest.NAME,
                            text -> Optional.of(text.replaceFirst("\"schema\" : \\d+", "\"schema\" : 999"))),
                    "has version 999 of the schema, written by Berth development, but this Berth knows versions up to ");
            for (var name : List.of("account; drop table account; --", "pg_authid", "flyway_schema_history", "x")) {
                isRefused(
                        server,
                        changed(
                                Manifest.NAME,
                                text -> Optional.of(text.replaceFirst(
                                        "\"name\" : \"event\"", "\"name\" : \"%s\"".formatted(name)))),
                        "of the schema has no table \"%s\" with the columns that manifest.json names.".formatted(name));
            }
            isRefused(
                    server,
                    changed(
                            Manifest.NAME,
                            text -> Optional.of(
                                    text.replaceFirst("\"sequence\"", "\"sequence) from program 'id'; --\""))),
                    "of the schema has no table");
            isRefused(
                    server,
                    changed(Manifest.NAME, text -> Optional.of(text + " ".repeat(1 << 20))),
                    "is damaged: its manifest.json is longer than 1048576 bytes.");
            isRefused(server, changed("event.copy", _ -> Optional.empty()), "is damaged: event.copy is missing.");
            isRefused(
                    server,
                    changed("event.copy", text -> Optional.of(text.substring(text.indexOf('\n') + 1))),
                    "is damaged: event.copy has ");
            isRefused(server, changed("event.copy", text -> Optional.of("x\n" + text)), "is damaged: ERROR: ");

            var older =
                    changed(Manifest.NAME, text -> Optional.of(text.replaceFirst("\"postgresql\" : \"[^\"]*\",", "")));
            assertThat(Import.manifest(older).postgresql()).isEmpty();
            // nothing is left of a rejected import
            Import.into(server, older);
        }
    }

    /** Returns a place in an archive within the compressed data of an entry; in a header, a wrong bit may mean nothing. */
    private static int dataOf(String entry, byte[] archive) {
        int name = new String(archive, ISO_8859_1).indexOf(entry);
        // the length of what lies between the name and the data, in two bytes before the name
        return name + entry.length() + (archive[name - 2] & 0xFF) + ((archive[name - 1] & 0xFF) << 8) + 10;
    }

    private static void isRefused(EmbeddedServer server, Path export, String why) {
        assertThatThrownBy(() -> Import.into(server, export))
                .isInstanceOf(UnusableExport.class)
                .hasMessageStartingWith(export + " ")
                .hasMessageContaining(why);
    }

    /** Returns the export with an entry replaced or removed. */
    private Path changed(String entry, Function<String, Optional<String>> change) throws IOException {
        var changed = directory.resolve("changed.zip");
        try (var zip = new ZipFile(file.toFile());
                var out = new ZipOutputStream(Files.newOutputStream(changed))) {
            for (var each : Collections.list(zip.entries())) {
                var text = new String(
                        zip.getInputStream(zip.getEntry(each.getName())).readAllBytes(), UTF_8);
                var next = each.getName().equals(entry) ? change.apply(text) : Optional.of(text);
                if (next.isPresent()) {
                    assertThat(next.get().equals(text))
                            .isEqualTo(!each.getName().equals(entry));
                    out.putNextEntry(new ZipEntry(each.getName()));
                    out.write(next.get().getBytes(UTF_8));
                }
            }
        }
        return changed;
    }

    private String text(String sql) throws Exception {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement();
                var found = statement.executeQuery(sql)) {
            assertThat(found.next()).isTrue();
            return found.getString(1);
        }
    }

    /** Returns the rows as text in a fixed order, without the writer and its epochs, which differ there. */
    private static List<String> rows(Connection connection, String table) throws Exception {
        var columns = table.equals("head") ? "cluster, sequence" : "*";
        var out = new ByteArrayOutputStream();
        connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyOut("copy (select %s from %s) to stdout".formatted(columns, table), out);
        return out.toString(UTF_8).lines().sorted().toList();
    }

    private static long number(Connection connection, String sql) throws Exception {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(sql)) {
            assertThat(found.next()).isTrue();
            return found.getLong(1);
        }
    }

    @Test
    void aRebuildRestoresDamagedTables() throws Exception {
        live(400);
        var before = tables();
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(
                    "update event set content = null where sequence = 1 and cluster = '%s'".formatted(cluster.id()));
            export();
            assertThat(verdict())
                    .isInstanceOfSatisfying(
                            Verdict.Bad.class,
                            bad -> assertThat(bad.reason())
                                    .endsWith("event 1 in the tables differs from the one in the journal."));
            for (var damage : List.of(
                    "update reservation set content = replace(content, 'alice', 'mallory'), owner = 'mallory' where cluster = '%s'",
                    "delete from event where sequence % 7 = 3 and cluster = '%s'",
                    "delete from job where cluster = '%s'",
                    "update cluster set content = replace(content, '\"version\":', '\"version\":1') where id = '%s'")) {
                statement.execute(damage.replace("%s", cluster.id().value()));
            }
        }
        export();
        assertThat(verdict()).isInstanceOf(Verdict.Bad.class);

        var rebuild = new Rebuild(database);
        rebuild.journaled().forEach(rebuild::rebuild);

        assertThat(tables().equals(before)).as("the tables are as they were").isTrue();
        export();
        assertThat(verdict()).isInstanceOf(Verdict.Good.class);
    }

    private Map<String, List<String>> tables() throws Exception {
        var tables = new TreeMap<String, List<String>>();
        try (var connection = dataSource.getConnection()) {
            for (var table : TABLES) {
                tables.put(table, rows(connection, table));
            }
        }
        return tables;
    }

    /** Wherever the projector is interrupted, it continues from where the tables were. */
    @Test
    @Tag("full")
    void theTablesFollowTheJournalWhereverTheProjectionIsCutOff() throws Exception {
        live(450);
        var clean = tables();
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            for (var table : TABLES) {
                var dropped = switch (table) {
                    case "cluster" -> "delete from cluster where id = '%s'";
                    case "projection" -> "update projection set sequence = -1 where cluster = '%s'";
                    default -> "delete from " + table + " where cluster = '%s'";
                };
                statement.execute(dropped.formatted(cluster.id()));
            }
        }
        int cuts = 0;
        int steps = -1;
        var before = Map.<String, List<String>>of();
        while (!tables().equals(before)) {
            before = tables();
            cuts += cutOff(() -> database.write(session -> Projection.follow(session, cluster.id())));
            steps++;
        }
        assertThat(steps).isGreaterThan(1);
        assertThat(cuts).isGreaterThan(20);
        assertThat(tables().equals(clean)).as("the tables are as they were").isTrue();
    }

    /** From the whole journal, and from what retention has left of it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("full")
    void aRebuildRestoresTheTablesWhereverItIsCutOff(boolean isShortened) throws Exception {
        live(300);
        if (isShortened) {
            ExportedPositions.record(database, export());
            sweep(NOON.plus(Duration.between(NOON, clock.instant()).dividedBy(2)));
        }
        var clean = tables();
        var rebuild = new Rebuild(database);
        var journaled = rebuild.journaled().stream()
                .filter(each -> each.cluster().equals(cluster.id()))
                .findAny()
                .orElseThrow();
        assertThat(journaled.from() > 0).isEqualTo(isShortened);
        assertThat(journaled.to()).isGreaterThan(journaled.from() + 50);
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("delete from event where cluster = '%s' and sequence %% 7 = 3 and sequence >= %d"
                    .formatted(cluster.id(), journaled.from()));
            statement.execute(
                    "update reservation set owner = 'mallory' where cluster = '%s' and id in (select reservation from event"
                                    .formatted(cluster.id())
                            + " where cluster = '%s' and sequence >= %d)".formatted(cluster.id(), journaled.from()));
        }
        assertThat(tables().equals(clean)).isFalse();

        assertThat(cutOff(() -> rebuild.rebuild(journaled))).isGreaterThan(20);
        assertThat(tables().equals(clean)).as("the tables are as they were").isTrue();
    }

    /**
     * Makes each statement that writes to the tables fail in turn until all succeed; returns how often they did not. A failure leaves
     * nothing behind.
     */
    private int cutOff(Runnable work) throws Exception {
        var before = tables();
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("create sequence written");
            statement.execute(failing(0));
            for (var table : TABLES) {
                statement.execute("create trigger failing before insert or update or delete on " + table
                        + " for each statement execute function fail_once()");
            }
            try {
                for (int cuts = 0; ; cuts++) {
                    statement.execute("alter sequence written restart");
                    statement.execute(failing(cuts + 1));
                    try {
                        work.run();
                        return cuts;
                    } catch (StorageUnavailable e) {
                        assertThat(tables().equals(before))
                                .as("nothing is left of what was cut off at statement %d", cuts + 1)
                                .isTrue();
                    }
                }
            } finally {
                statement.execute("drop function fail_once cascade");
                statement.execute("drop sequence written");
            }
        }
    }

    private static String failing(int at) {
        return """
                create or replace function fail_once() returns trigger language plpgsql as $$
                begin
                    if nextval('written') = %d then
                        raise 'as the test wants it' using errcode = 'io_error';
                    end if;
                    return null;
                end $$
                """.formatted(at);
    }

    @Test
    void oldReservationsAreDeletedAndTheirFiguresStay() throws Exception {
        live(400);
        var always = new Slot(0, NOON.getEpochSecond() + 1_000_000_000);
        var figures = records.statistics(cluster.id(), always);
        long kept = count("reservation where (open_return or state " + ReservationRow.LIVE + ")");
        assertThat(figures.quality().completed()).isPositive();
        assertThat(kept).isPositive();

        assertThat(sweep(NOON)).isZero();
        var later = clock.instant().plus(Duration.ofDays(1));
        assertThat(sweep(later)).isPositive();

        assertThat(records.statistics(cluster.id(), always)).isEqualTo(figures);
        assertThat(count("reservation")).isEqualTo(kept);
        assertThat(count("event where reservation not in (select id from reservation)"))
                .isZero();
        assertThat(count("event where type = 'SIGNAL_CHANGED'")).isZero();
        assertThat(count("event where reservation is not null")).isPositive();
        var swept = tables();
        assertThat(sweep(later)).isZero();
        assertThat(count("journal where last_sequence = 0"))
                .as("not exported yet")
                .isOne();

        var rebuild = new Rebuild(database);
        rebuild.journaled().stream()
                .filter(each -> each.cluster().equals(cluster.id()))
                .forEach(rebuild::rebuild);
        assertThat(tables()).isEqualTo(swept);
        assertThat(records.statistics(cluster.id(), always)).isEqualTo(figures);

        var manifest = export();
        assertThat(verdict()).isInstanceOf(Verdict.Good.class);
        ExportedPositions.record(database, manifest);
        assertThat(sweep(later)).isZero();
        assertThat(count("journal")).isZero();
        export();
        assertThat(verdict()).isInstanceOf(Verdict.Good.class);
        rebuild.journaled().forEach(rebuild::rebuild);
        assertThat(tables()).isEqualTo(swept);
    }

    @Test
    void oldRowsAreDeletedInPiecesUntilNoneIsLeft() throws Exception {
        live(400);
        ExportedPositions.record(database, export());
        var pieces = new Retention(7, 2);
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("insert into idempotency_key (account, key, fingerprint, cluster, sequence, created_at)"
                    + " select 'bob', 'old ' || i, 'print', '%s', 1, '%s' from generate_series(1, 30) i"
                            .formatted(cluster.id(), NOON));
            statement.execute("insert into coallocation"
                    + " (id, settled, watched, reservations, created_at, updated_at, content)"
                    + " select gen_random_uuid(), true, false, '{}', '%1$s', '%1$s', '{}'".formatted(NOON)
                    + " from generate_series(1, 30)");
            statement.execute("""
                    create function require_few() returns trigger language plpgsql as $$
                    begin
                        if (select count(*) from gone) > tg_argv[0]::int then
                            raise '% rows of % leave at once', (select count(*) from gone), tg_table_name;
                        end if;
                        return null;
                    end $$
                    """);
            var most = Map.of("idempotency_key", 7, "coallocation", 7, "journal", 3);
            for (var table : most.keySet()) {
                statement.execute(
                        "create trigger few after delete on %s referencing old table as gone execute function require_few(%d)"
                                .formatted(table, most.get(table)));
            }
            assertThat(count("journal")).isGreaterThan(100);
            clock.advance(Duration.ofDays(3));
            var housekeeping = new Housekeeping(records, database, clock, Duration.ofDays(2), pieces);
            try {
                housekeeping.sweep();
                housekeeping.forgetOldKeys();
            } finally {
                statement.execute("drop function require_few cascade");
            }
            assertThat(count("journal")).isZero();
            assertThat(count("idempotency_key")).isZero();
            assertThat(count("event where type = 'COMPLETED'"
                            + " and reservation not in (select id from reservation where open_return)"))
                    .isZero();
            assertThat(number(connection, "select count(*) from coallocation")).isZero();
        }
    }

    private int sweep(Instant before) {
        return database.write(session -> session.doReturningWork(
                        connection -> Retention.STANDARD.sweep(connection, cluster.id(), before)))
                .events();
    }

    private long count(String from) {
        var condition = (from.contains(" where ") ? " and " : " where ") + "cluster = '" + cluster.id() + "'";
        return database.write(
                session -> session.createNativeQuery("select count(*) from " + from + condition, Long.class)
                        .getSingleResult());
    }

    @Test
    void aDatabaseOfALaterBerthIsRefused() throws Exception {
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(
                    "insert into flyway_schema_history (installed_rank, version, description, type, script, installed_by,"
                            + " execution_time, success) values (99, '99', 'later', 'SQL', 'V99__later.sql', 'later', 1, true)");
            try {
                assertThatThrownBy(() -> Schema.requireKnown(flyway))
                        .isInstanceOf(StartRefused.class)
                        .hasMessageContaining("version 99 of the schema")
                        .hasMessageContaining("versions up to " + Schema.known(flyway));
            } finally {
                statement.execute("delete from flyway_schema_history where installed_rank = 99");
            }
        }
    }
}
