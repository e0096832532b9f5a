package berth.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** PostgreSQL servers in a row: the first is the primary, and each of the others follows its predecessor, which waits for it. */
public final class Replicated implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<Server> servers = new ArrayList<>();

    private Replicated() {}

    /** The programs and an empty database for new servers. */
    public record Template(Path programs, Path data) {

        /** Creates a template in a directory. */
        public static Template in(Path directory) throws IOException {
            var data = directory.resolve("template");
            try (var _ = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setOverrideWorkingDirectory(directory.resolve("programs").toFile())
                    .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                    .setPGStartupWait(PATIENCE)
                    .start()) {
                var copy = directory.resolve("programs-of-servers");
                FileSystemUtils.copyRecursively(programs(data), copy);
                return new Template(copy.resolve("bin"), data);
            }
        }

        /**
         * Returns the programs. One process unpacks them once for all its servers, into the directory of the first, which may be removed
         * before others end.
         */
        private static Path programs(Path data) throws IOException {
            var number = Files.readAllLines(data.resolve("postmaster.pid")).getFirst();
            var program = ProcessHandle.of(Long.parseLong(number))
                    .flatMap(process -> process.info().command())
                    .orElseThrow();
            return Path.of(program).resolve("../..").normalize();
        }
    }

    /** Starts servers below a directory and returns once each waits for its follower. */
    public static Replicated start(Template template, Path directory, int number) throws Exception {
        var row = new Replicated();
        for (int i = 0; i < number; i++) {
            var data = directory.resolve("server-" + i);
            FileSystemUtils.copyRecursively(template.data, data);
            Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
            var server = new Server(template.programs, data);
            server.configure("""
                    listen_addresses = 'localhost'
                    unix_socket_directories = ''
                    max_connections = 300
                    shared_buffers = 16MB
                    wal_keep_size = 128MB
                    wal_retrieve_retry_interval = 200ms
                    synchronous_standby_names = 'FIRST 1 (n%d)'
                    """.formatted(i + 1));
            if (i > 0) {
                Files.createFile(data.resolve("standby.signal"));
                server.configure("primary_conninfo = 'host=localhost port=%d user=postgres application_name=n%d'%n"
                        .formatted(row.server(i - 1).port(), i));
            }
            server.start();
            row.servers.add(server);
        }
        for (int i = 0; i < number - 1; i++) {
            row.server(i).awaitStandby();
        }
        return row;
    }

    public Server server(int number) {
        return servers.get(number);
    }

    /** Returns a URL that names all of them. */
    public String url() {
        return "jdbc:postgresql://%s/postgres?targetServerType=primary&prepareThreshold=0"
                .formatted(servers.stream()
                        .map(server -> "localhost:" + server.port())
                        .collect(Collectors.joining(",")));
    }

    @Override
    public void close() {
        servers.forEach(Server::kill);
    }

    /** One of the servers. */
    public static final class Server {

        private final Path programs;
        private final Path data;
        private final int port;
        private @Nullable Process process;

        Server(Path programs, Path data) throws IOException {
            this.programs = programs;
            this.data = data;
            try (var free = new ServerSocket(0)) {
                port = free.getLocalPort();
            }
        }

        public int port() {
            return port;
        }

        /** Returns a URL that names only this one. */
        public String url() {
            return "jdbc:postgresql://localhost:%d/postgres".formatted(port);
        }

        public Connection connect() throws SQLException {
            return DriverManager.getConnection(url() + "?connectTimeout=2&socketTimeout=20", "postgres", "");
        }

        /** Returns the first column of the first row. */
        public String ask(String sql) throws SQLException {
            try (var connection = connect();
                    var statement = connection.createStatement();
                    var found = statement.executeQuery(sql)) {
                found.next();
                return String.valueOf(found.getString(1));
            }
        }

        void configure(String lines) throws IOException {
            Files.writeString(data.resolve("postgresql.conf"), lines, StandardOpenOption.APPEND);
        }

        /** Makes it wait for these standbys from now on. */
        void waitFor(String standbys) throws Exception {
            configure("synchronous_standby_names = '%s'%n".formatted(standbys));
            ask("select pg_reload_conf()");
            until(() -> ask("show synchronous_standby_names").equals(standbys));
        }

        public void start() throws Exception {
            Files.deleteIfExists(data.resolve("postmaster.pid"));
            var postgres = Stream.of(
                    programs.resolve("postgres").toString(), "-D", data.toString(), "-p", Integer.toString(port));
            // it refuses to run as root
            var command = System.getProperty("user.name").equals("root")
                    ? Stream.concat(Stream.of("unshare", "-U"), postgres)
                    : postgres;
            process = new ProcessBuilder(command.toList())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start();
            until(() -> {
                try {
                    return ask("select 1").equals("1");
                } catch (SQLException e) {
                    return false;
                }
            });
        }

        private Path log() {
            return data.resolveSibling(data.getFileName() + ".log");
        }

        void awaitStandby() throws Exception {
            until(() -> ask("select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')")
                            .equals("1")
                    // standbys further down the row do not matter
                    || ask("select pg_is_in_recovery() and exists (select from pg_stat_replication)")
                            .equals("t"));
        }

        /** Kills it as if its machine were gone. */
        public void kill() {
            if (process == null) {
                return;
            }
            var all = all();
            all.forEach(ProcessHandle::destroyForcibly);
            all.forEach(one -> one.onExit().join());
        }

        /** Stops it as if its machine hung. */
        public void hang() throws Exception {
            signal("STOP");
        }

        public void goOn() throws Exception {
            signal("CONT");
        }

        private List<ProcessHandle> all() {
            var first = Objects.requireNonNull(process).toHandle();
            return Stream.concat(Stream.of(first), first.descendants()).toList();
        }

        private void signal(String name) throws Exception {
            var numbers = all().stream().map(one -> Long.toString(one.pid())).collect(Collectors.joining(" "));
            new ProcessBuilder("sh", "-c", "kill -%s %s".formatted(name, numbers))
                    .start()
                    .waitFor();
        }

        /** Makes it the primary. */
        public void promote() throws SQLException {
            ask("select pg_promote()");
        }

        interface Condition {
            boolean holds() throws Exception;
        }

        void until(Condition condition) throws Exception {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!condition.holds()) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("A server does not do what it is asked: " + Files.readString(log()));
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }
}
