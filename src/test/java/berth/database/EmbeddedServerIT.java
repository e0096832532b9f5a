package berth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded PostgreSQL from start to end, on directories in different states. */
class EmbeddedServerIT {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static DataDirectory place;

    @BeforeAll
    static void open() {
        place = new DataDirectory(directory);
    }

    @AfterAll
    static void close() throws IOException {
        place.close();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void noSqlStatementReachesFilesOrProgramsOfTheMachine() throws Exception {
        try (var server = EmbeddedServer.thrownAway(place);
                var connection = Schema.connect(server)) {
            for (var sql : List.of(
                    "copy (select 'x') to program 'touch pwned'",
                    "copy (select 'x') to '/tmp/pwned'",
                    "select pg_read_file('postgresql.conf')",
                    "select lo_import('/etc/passwd')",
                    "alter system set fsync = off",
                    "create role another superuser",
                    "set role postgres",
                    "create extension file_fdw")) {
                assertThatThrownBy(() -> execute(connection, sql))
                        .as(sql)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("permi");
            }
        }
    }

    @Test
    void berthTakesOverObjectsThatTheSuperuserOwns() throws Exception {
        try (var server = EmbeddedServer.thrownAway(place)) {
            Schema.flyway(server).migrate();
            try (var connection = Schema.connect(server.superuser())) {
                // the state that an earlier Berth left
                execute(connection, "alter schema public owner to postgres");
                execute(connection, "reassign owned by berth to postgres");
                execute(connection, "drop owned by berth");
                execute(connection, "drop role berth");
                execute(connection, "insert into refusal values ('demo', now(), 'no-slot', 3)");
            }
        }
        try (var server = EmbeddedServer.thrownAway(place);
                var connection = Schema.connect(server)) {
            assertThat(Sql.finds(connection, "select from refusal where number = 3"))
                    .isTrue();
            assertThat(Sql.finds(
                            connection,
                            "select from pg_class c where relnamespace = 'public'::regnamespace"
                                    + " and not pg_has_role(current_user, relowner, 'usage')"))
                    .isFalse();
            assertThat(Schema.flyway(server).info().pending()).isEmpty();
            execute(connection, "truncate refusal");
            execute(connection, "alter table refusal add column more int");
            new Durability(1, _ -> Optional.empty()).require(connection);
        }
    }

    @Test
    void aReusedProcessIdDoesNotKeepTheServerFromStarting() throws Exception {
        var other = new ProcessBuilder("sleep", "600").start();
        try {
            List<String> lines;
            var file = directory.resolve("postgresql").resolve("postmaster.pid");
            try (var server = EmbeddedServer.thrownAway(place)) {
                assertThat(server.getUsername()).isEqualTo("berth");
                lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
            }
            lines.set(0, Long.toString(other.pid()));
            Files.write(file, lines, StandardCharsets.ISO_8859_1);

            try (var server = EmbeddedServer.thrownAway(place);
                    var connection = Schema.connect(server)) {
                assertThat(connection.isValid(1)).isTrue();
            }
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void aServerThatEndsAtOnceIsReportedWithItsLog() throws Exception {
        EmbeddedServer.thrownAway(place).close();
        var settings = directory.resolve("postgresql").resolve("postgresql.conf");
        var before = Files.readString(settings);
        Files.writeString(settings, "\nmax_connections = many\n", StandardOpenOption.APPEND);

        long began = System.nanoTime();
        assertThatThrownBy(() -> EmbeddedServer.thrownAway(place))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("ended immediately")
                .hasMessageContaining("max_connections");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(60));

        Files.writeString(settings, before);
        EmbeddedServer.thrownAway(place).close();
    }
}
