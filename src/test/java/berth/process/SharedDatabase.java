package berth.process;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** An operator's PostgreSQL, durable, for services to use. Closing it ends it. */
final class SharedDatabase implements AutoCloseable {

    /** The administrator's token at all instances. */
    static final String TOKEN = "token-of-the-administrator";

    private static final Duration ENDING = Duration.ofSeconds(60);

    private final Path directory;
    private final int port;

    private SharedDatabase(Path directory, int port) {
        this.directory = directory;
        this.port = port;
    }

    @SuppressWarnings("resource") // the library gives it five seconds to end
    static SharedDatabase in(Path parent) throws IOException {
        var directory = parent.resolve("database");
        return new SharedDatabase(
                directory,
                EmbeddedPostgres.builder()
                        .setDataDirectory(directory)
                        .setCleanDataDirectory(false)
                        .setRegisterShutdownHook(false)
                        .setOverrideWorkingDirectory(parent.resolve("programs").toFile())
                        .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                        .setPGStartupWait(ENDING)
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("full_page_writes", "on")
                        .start()
                        .getPort());
    }

    int port() {
        return port;
    }

    String address() {
        return address(port);
    }

    /** Returns its address through another port. */
    static String address(int port) {
        return "jdbc:postgresql://localhost:%d/postgres?prepareThreshold=0".formatted(port);
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(address(), "postgres", "");
    }

    /** Returns a single service that reaches it through that port. */
    static Installation service(int port, Path directory) throws IOException {
        return behind(port, Installation.in(directory));
    }

    /** Returns one of several instances. */
    Installation instance(Program program, Path directory) throws IOException {
        var installation = behind(port, Installation.of(program, directory));
        return installation
                .with("BERTH_INSTANCES_MODE", "MANY")
                .with("BERTH_INSTANCES_URL", installation.url())
                .with("BERTH_SECRETS_KEY", "5e".repeat(32))
                .with("BERTH_ADMIN_TOKEN", TOKEN);
    }

    private static Installation behind(int port, Installation installation) {
        return installation.with("SPRING_DATASOURCE_URL", address(port)).with("SPRING_DATASOURCE_USERNAME", "postgres");
    }

    @Override
    public void close() throws Exception {
        if (directory.resolve("postmaster.pid").toFile().exists()) {
            var lines = Files.readAllLines(directory.resolve("postmaster.pid"));
            var server = ProcessHandle.of(Long.parseLong(lines.getFirst())).orElseThrow();
            Installation.signal(server, "INT");
            server.onExit().get(ENDING.toSeconds(), TimeUnit.SECONDS);
        }
    }
}
