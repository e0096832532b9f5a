package berth.persistence;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.FileSystemUtils;

/**
 * The PostgreSQL that Berth brings along: a real server with its data in the data directory, durable, reachable from
 * this machine with a password that only the owner of the data directory can read.
 *
 * <p>A new database is made beside its final place and moved there when it is complete, so that a start that was cut
 * off leaves nothing half-made. A server that outlived a killed Berth is stopped, not started over: its data stay.
 */
final class EmbeddedServer implements JdbcConnectionDetails, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedServer.class);
    private static final Duration STARTUP = Duration.ofMinutes(2);
    private static final Duration SHUTDOWN = Duration.ofMinutes(1);
    private static final String JDBC_URL = "jdbc:postgresql://localhost:%d/postgres";
    private static final String USER = "postgres";
    private static final String PASSWORD_FILE = "postgresql.password";
    private static final String DRAFT = "postgresql.new";

    private final DataDirectory directory;
    private final String durability;
    private final Path programs;
    private final Path serverLog;
    private final EmbeddedPostgres server;
    private final String password;

    /** @throws StartRefused if the server cannot be started */
    EmbeddedServer(DataDirectory directory) {
        this(directory, true);
    }

    /** One that need not survive a crash, and so is faster. */
    static EmbeddedServer thrownAway(DataDirectory directory) {
        return new EmbeddedServer(directory, false);
    }

    private EmbeddedServer(DataDirectory directory, boolean isDurable) {
        this.directory = directory;
        this.durability = isDurable ? "on" : "off";
        var data = directory.resolve("postgresql");
        serverLog = directory.resolve("postgresql.log");
        try {
            programs = directory.privateDirectory("postgresql.programs").toRealPath();
            stopOrphan(data, programs);
            removeLeftovers();
            directory.freshFile("postgresql.log");
            if (!Files.exists(data)) {
                create(data);
            }
            password = readPassword();
            server = start(data, password);
        } catch (IOException | IllegalStateException | ExceptionInInitializerError e) {
            // the last is the library's word for an archive that cannot be unpacked, as where the disk is full
            throw new StartRefused(
                    "The embedded PostgreSQL in %s does not start: %s"
                            .formatted(data, NestedExceptionUtils.getMostSpecificCause(e)),
                    "See %s for what PostgreSQL says, or set SPRING_DATASOURCE_URL to use a server of your own."
                            .formatted(serverLog));
        }
    }

    /**
     * Stops what a killed process has left running on a directory whose data nobody wants any more.
     *
     * @param programs where its programs are, or somewhere below: one process unpacks them once, for all its servers
     */
    static void stopLeftBehind(Path directory, Path programs) throws IOException {
        for (var data : list(directory, "postgresql*")) {
            stopOrphan(data, programs.toRealPath());
        }
    }

    private void create(Path data) throws IOException {
        var secret = new byte[24];
        new SecureRandom().nextBytes(secret);
        directory.writeSecret(PASSWORD_FILE, HexFormat.of().formatHex(secret));
        // a name of its own: a program that outlived the start before may still write to the draft it knows
        var draft = Files.createTempDirectory(directory.resolve(""), DRAFT);
        start(draft, readPassword()).close();
        Files.move(draft, data, StandardCopyOption.ATOMIC_MOVE);
    }

    private String readPassword() throws IOException {
        return Files.readString(directory.resolve(PASSWORD_FILE)).strip();
    }

    /** The library is made for tests and switches durability off; every setting that matters is set here. */
    private EmbeddedPostgres start(Path data, String password) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(STARTUP)
                // one level down: the library opens the directory that it unpacks to for everybody
                .setOverrideWorkingDirectory(programs.resolve("unpacked").toFile())
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(serverLog.toFile()))
                .setLocaleConfig("locale", "C")
                .setLocaleConfig("auth", "scram-sha-256")
                .setLocaleConfig("pwfile", directory.resolve(PASSWORD_FILE).toString())
                .setConnectConfig("password", password)
                .setServerConfig("fsync", durability)
                .setServerConfig("synchronous_commit", durability)
                .setServerConfig("full_page_writes", durability)
                // nobody asks for a socket in the file system, and one would lie in a directory that is open to all
                .setServerConfig("unix_socket_directories", "")
                .start();
    }

    /** Removes what starts that were cut off have left: databases half-made and programs half-unpacked. */
    private void removeLeftovers() throws IOException {
        for (var draft : list(directory.resolve(""), DRAFT + "*")) {
            stopOrphan(draft, programs);
            try {
                FileSystemUtils.deleteRecursively(draft);
            } catch (IOException e) {
                log.debug("{} is still written to; a later start will remove it.", draft, e);
            }
        }
        for (var release : list(programs.resolve("unpacked"), "PG-*")) {
            if (!Files.exists(release.resolve(".exists"))) {
                FileSystemUtils.deleteRecursively(release);
            }
        }
    }

    private static List<Path> list(Path parent, String glob) throws IOException {
        var found = new ArrayList<Path>();
        if (Files.isDirectory(parent)) {
            try (var children = Files.newDirectoryStream(parent, glob)) {
                children.forEach(found::add);
            }
        }
        return found;
    }

    /** Stops the server that a killed process has left behind on this directory, if there is one. */
    private static void stopOrphan(Path data, Path programs) throws IOException {
        var orphan = postmaster(data.resolve("postmaster.pid"), programs);
        if (orphan.isEmpty()) {
            return;
        }
        log.warn(
                "Stopping PostgreSQL (process {}), left behind by a Berth that was killed.",
                orphan.get().pid());
        // a fast shutdown: sessions are ended, what they committed is kept; kill is part of every shell, but not of
        // every system
        new ProcessBuilder("sh", "-c", "kill -INT " + orphan.get().pid())
                .inheritIO()
                .start();
        try {
            orphan.get().onExit().get(SHUTDOWN.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new StartRefused(
                    "PostgreSQL (process %d) was left behind by a Berth that was killed, and does not stop."
                            .formatted(orphan.get().pid()),
                    "End that process and start again; its data are in " + data + ".");
        }
    }

    /**
     * Who the file names, if it is one of our programs: the number may have gone to somebody else since. A file that a
     * crash of the machine left empty or garbled names nobody, and would only keep PostgreSQL from starting.
     */
    private static Optional<ProcessHandle> postmaster(Path pidFile, Path programs) throws IOException {
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        var first = Files.readString(pidFile, StandardCharsets.ISO_8859_1)
                .lines()
                .findFirst()
                .orElse("")
                .strip();
        if (!first.matches("\\d{1,18}")) {
            log.warn("{} is damaged and was removed.", pidFile);
            Files.delete(pidFile);
            return Optional.empty();
        }
        long number = Long.parseLong(first);
        if (ProcessHandle.allProcesses().noneMatch(process -> process.pid() == number)) {
            disown(pidFile);
            return Optional.empty();
        }
        return ProcessHandle.of(number)
                .filter(process -> process.info()
                        .command()
                        .filter(program -> Path.of(program).startsWith(programs))
                        .isPresent());
    }

    /**
     * Puts a number in the file that is never given out. PostgreSQL would take any thread that has the number by now for
     * its predecessor, and in a container, where each start counts from 1 again, that is likely to be one of ours. The
     * rest of the file stays: it tells PostgreSQL whether the predecessor's memory is still in use.
     */
    private static void disown(Path pidFile) throws IOException {
        var lines = Files.readAllLines(pidFile, StandardCharsets.ISO_8859_1);
        lines.set(0, Integer.toString(Integer.MAX_VALUE));
        Files.write(pidFile, lines, StandardCharsets.ISO_8859_1);
    }

    /** The server on that directory, which another process has started. */
    static JdbcConnectionDetails running(Path directory) throws IOException {
        // PostgreSQL's own file: its fourth line is the port
        var port = Files.readAllLines(
                        directory.resolve("postgresql").resolve("postmaster.pid"), StandardCharsets.ISO_8859_1)
                .get(3)
                .strip();
        var password = Files.readString(directory.resolve(PASSWORD_FILE)).strip();
        return new NamedDatabase(JDBC_URL.formatted(Integer.parseInt(port)), USER, password);
    }

    @Override
    public String getUsername() {
        return USER;
    }

    @Override
    public String getPassword() {
        return password;
    }

    @Override
    public String getJdbcUrl() {
        return JDBC_URL.formatted(server.getPort());
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
