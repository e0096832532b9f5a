package berth.database;

import berth.runtime.FailureStreak;
import berth.runtime.Threads;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.FileSystemUtils;

/**
 * The embedded PostgreSQL: a real server with its data in the data directory. It is durable and can be reached only from this machine, with
 * a password that only the owner of the data directory can read. Berth uses it with a role that owns Berth's tables and is no superuser, so
 * that no statement can run programs or read files.
 *
 * <p>A new database is created next to its final place and moved there once it is complete, so an interrupted start leaves nothing
 * incomplete. A server that outlived a killed Berth is stopped; its data stay. A server that ends while Berth runs is started again on the
 * same port, as often as necessary.
 */
public final class EmbeddedServer implements JdbcConnectionDetails, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedServer.class);
    private static final Duration STARTUP = Duration.ofMinutes(2);

    /** The timeout for starting a server again; one that takes longer is found running at the next check. */
    private static final Duration STARTUP_AGAIN = Duration.ofSeconds(5);

    private static final Duration SHUTDOWN = Duration.ofMinutes(1);

    /** How often to check whether the server runs. */
    private static final Duration LOOK = Duration.ofMillis(500);

    /** How long the end of the service waits for the thread that watches the server. */
    private static final Duration ENDING = Duration.ofSeconds(2);

    /** The pause after a failure to start the server again, for example because the disk is full. */
    private static final Duration RETRY = Duration.ofSeconds(2);

    private static final String JDBC_URL = "jdbc:postgresql://localhost:%d/postgres";
    private static final String USER = "berth";
    private static final String SUPERUSER = "postgres";
    private static final String PASSWORD_FILE = "postgresql.password";
    private static final String DRAFT = "postgresql.new";

    /**
     * Makes Berth's role the owner of everything in the database, also of what an earlier Berth has created as the superuser. The role may
     * see standbys and the server's timeline, as {@link Durability} needs.
     */
    private static final String ADMIT = """
            do $$
            declare
                relation regclass;
            begin
                if not exists (select from pg_roles where rolname = 'berth') then
                    create role berth;
                end if;
                alter role berth login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '%s';
                grant pg_read_all_stats to berth;
                grant execute on function pg_control_system() to berth;
                alter schema public owner to berth;
                for relation in
                    select c.oid::regclass from pg_class c join pg_roles r on r.oid = c.relowner
                    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and r.rolname <> 'berth'
                loop
                    execute format('alter table %%s owner to berth', relation);
                end loop;
            end $$
            """;

    /** How long no process of PostgreSQL must be seen after its programs are unpacked, until a start counts as failed. */
    private static final Duration GONE = Duration.ofSeconds(5);

    private static final int MAX_LINES = 5;

    /** A server starts with a segment of its log, 16 MiB, and a new one needs some 40 MiB. */
    private static final long ENOUGH_ROOM = 64L << 20;

    /** Makes the library choose a free port. */
    private static final int ANY_PORT = 0;

    private final DataDirectory directory;
    private final String durability;
    private final Path programs;
    private final Path data;
    private final Path serverLog;
    private final String password;
    private final int port;
    private final Thread watch = Thread.ofVirtual().name("postgresql").unstarted(this::watch);

    private volatile EmbeddedPostgres server;
    private volatile ServerProcess process;

    /** The directory of its programs, which one process unpacks once for all its servers. */
    private final Path inUse;

    /** Whether this process has unpacked the programs, which it does once for all its servers. */
    private static volatile boolean isUnpacked;

    private volatile boolean isClosed;

    /**
     * Starts the server.
     *
     * @throws StartRefused if it cannot be started
     */
    public EmbeddedServer(DataDirectory directory) {
        this(directory, true);
        watch.start();
    }

    /** Starts a server that need not survive a crash and is therefore faster. */
    public static EmbeddedServer thrownAway(DataDirectory directory) {
        return new EmbeddedServer(directory, false);
    }

    private EmbeddedServer(DataDirectory directory, boolean isDurable) {
        this.directory = directory;
        this.durability = isDurable ? "on" : "off";
        data = directory.resolve("postgresql");
        serverLog = directory.resolve("postgresql.log");
        try {
            programs = directory.privateDirectory("postgresql.programs").toRealPath();
            stopOrphan(data, programs);
            removeLeftovers();
            directory.freshFile("postgresql.log");
            if (!Files.exists(data)) {
                create();
            }
            password = readPassword();
            server = start(data, password, ANY_PORT, STARTUP);
            port = server.getPort();
            var main = started();
            process = new ServerProcess(main);
            inUse = main.info()
                    .command()
                    .map(program -> Path.of(program).getParent())
                    .orElse(programs);
            admit();
        } catch (IOException | SQLException | IllegalStateException | ExceptionInInitializerError e) {
            // the library throws the last one for an archive that cannot be unpacked, for example because the disk is
            // full
            throw new StartRefused(
                    "The embedded PostgreSQL in %s does not start: %s%s"
                            .formatted(data, NestedExceptionUtils.getMostSpecificCause(e), lastWords()),
                    remedy());
        }
    }

    private void admit() throws SQLException {
        try (var connection = Schema.connect(superuser());
                var statement = connection.createStatement()) {
            statement.execute(ADMIT.formatted(password));
        }
    }

    /** Returns the server as its superuser sees it, for tests and for what only an operator may do. */
    JdbcConnectionDetails superuser() {
        return new NamedDatabase(getJdbcUrl(), SUPERUSER, password);
    }

    /** Returns the end of PostgreSQL's log as a sentence; empty if there is none. */
    private String lastWords() {
        var lines = logged();
        return lines.isEmpty()
                ? ""
                : "; its log ends with: "
                        + String.join(" | ", lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size()));
    }

    private List<String> logged() {
        try {
            return Files.readAllLines(serverLog, StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> !line.isBlank())
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private String remedy() {
        if (logged().stream().anyMatch(line -> line.contains("could not look up effective user ID"))) {
            return "The user that runs Berth has no name. PostgreSQL requires an entry in /etc/passwd for it: add one, run Berth as a"
                    + " user that has one, or set SPRING_DATASOURCE_URL to use a server of your own.";
        }
        long free = directory.resolve("").toFile().getUsableSpace();
        if (free < ENOUGH_ROOM) {
            return "The disk of %s has only %d MiB free. Make room, and start Berth again."
                    .formatted(directory.resolve(""), free >> 20);
        }
        return "See PostgreSQL's log, %s, or set SPRING_DATASOURCE_URL to use a server of your own."
                .formatted(serverLog);
    }

    /**
     * Stops the server of a killed process on a directory whose data are no longer needed.
     *
     * @param programs the directory of its programs, or one above it: one process unpacks them once for all its servers
     */
    public static void stopLeftBehind(Path directory, Path programs) throws IOException {
        for (var data : list(directory, "postgresql*")) {
            stopOrphan(data, programs.toRealPath());
        }
    }

    private void create() throws IOException {
        var secret = new byte[24];
        new SecureRandom().nextBytes(secret);
        directory.writeSecret(PASSWORD_FILE, HexFormat.of().formatHex(secret));
        // a unique name, because a program that outlived the previous start may still write to its draft
        var draft = Files.createTempDirectory(directory.resolve(""), DRAFT);
        start(draft, readPassword(), ANY_PORT, STARTUP).close();
        Files.move(draft, data, StandardCopyOption.ATOMIC_MOVE);
    }

    private String readPassword() throws IOException {
        return Files.readString(directory.resolve(PASSWORD_FILE)).strip();
    }

    /**
     * Starts PostgreSQL. The library waits for the server to respond, even if it has ended, so this method also looks for its process.
     *
     * @throws IOException if it does not start
     */
    private EmbeddedPostgres start(Path data, String password, int port, Duration patience) throws IOException {
        var start = new FutureTask<>(() -> begin(data, password, port, patience));
        Thread.ofPlatform().daemon().name("postgresql-start").start(start);
        long seen = System.nanoTime();
        while (true) {
            try {
                var started = start.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                isUnpacked = true;
                return started;
            } catch (TimeoutException e) {
                if (!isUnpacked && !areUnpacked() || isAnyProgramOn(data)) {
                    seen = System.nanoTime();
                } else if (System.nanoTime() - seen > GONE.toNanos()) {
                    start.cancel(true);
                    throw new IOException("It ended immediately after the start");
                }
            } catch (ExecutionException e) {
                switch (e.getCause()) {
                    case IOException failure -> throw failure;
                    case RuntimeException failure -> throw failure;
                    case Error failure -> throw failure;
                    case null, default -> throw new IOException(e);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                start.cancel(true);
                throw new IOException("Berth ends", e);
            }
        }
    }

    private boolean areUnpacked() throws IOException {
        return list(programs.resolve("unpacked"), "PG-*").stream()
                .anyMatch(release -> Files.exists(release.resolve(".exists")));
    }

    /** Whether this process has started a program on that directory, and it runs. */
    private static boolean isAnyProgramOn(Path data) {
        return ProcessHandle.current()
                .descendants()
                .anyMatch(program -> program.info()
                        .commandLine()
                        .filter(line -> line.contains(data.toString()))
                        .isPresent());
    }

    /** Starts PostgreSQL. The library is made for tests and switches durability off, so every relevant setting is set here. */
    private EmbeddedPostgres begin(Path data, String password, int port, Duration patience) throws IOException {
        // the library's own file, which a server that has ended or did not start may hold
        Files.deleteIfExists(data.resolve("epg-lock"));
        return EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(patience)
                // one level down, because the library opens the directory into which it unpacks to everybody
                .setOverrideWorkingDirectory(programs.resolve("unpacked").toFile())
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(serverLog.toFile()))
                .setLocaleConfig("locale", "C")
                .setLocaleConfig("auth", "scram-sha-256")
                .setLocaleConfig("pwfile", directory.resolve(PASSWORD_FILE).toString())
                .setConnectConfig("password", password)
                .setServerConfig("fsync", durability)
                .setServerConfig("synchronous_commit", durability)
                .setServerConfig("full_page_writes", durability)
                // no socket in the file system: nobody needs it, and its directory would be open to all
                .setServerConfig("unix_socket_directories", "")
                .start();
    }

    /** Starts the server again whenever it ends before Berth does. */
    private void watch() {
        var streak = new FailureStreak(log, "Berth could not check whether PostgreSQL runs; it tries again.");
        while (!isClosed) {
            try {
                Thread.sleep(LOOK);
                if (process.hasEnded() && !isStartedAgain()) {
                    Thread.sleep(RETRY);
                }
                streak.ended();
            } catch (InterruptedException e) {
                return; // Berth ends
            } catch (Throwable e) {
                streak.failed(e);
            }
        }
    }

    private synchronized boolean isStartedAgain() {
        if (isClosed) {
            return true;
        }
        try {
            var started = postmaster();
            if (started.isEmpty()) {
                log.error(
                        "PostgreSQL (process {}) has ended, and Berth starts it again. Its log is {}.",
                        process.handle().pid(),
                        serverLog);
                server = start(data, password, port, STARTUP_AGAIN);
                started = postmaster();
            }
            var again = started.orElseThrow(() -> new IllegalStateException("it ended immediately after the start"));
            process = new ServerProcess(again);
            log.info("PostgreSQL runs again, as process {}.", again.pid());
            return true;
        } catch (IOException | IllegalStateException e) {
            log.error(
                    "PostgreSQL could not be started again; Berth tries once more: {}",
                    NestedExceptionUtils.getMostSpecificCause(e).toString());
            return false;
        }
    }

    /** Removes what interrupted starts have left: incomplete databases and programs. */
    private void removeLeftovers() throws IOException {
        for (var draft : list(directory.resolve(""), DRAFT + "*")) {
            stopOrphan(draft, programs);
            try {
                FileSystemUtils.deleteRecursively(draft);
            } catch (IOException e) {
                log.debug("{} is still in use; a later start will remove it.", draft, e);
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

    /** Returns the main process of the server that was just started. */
    private ProcessHandle started() throws IOException {
        var number = Files.readAllLines(data.resolve("postmaster.pid"), StandardCharsets.ISO_8859_1)
                .getFirst()
                .strip();
        return ProcessHandle.of(Long.parseLong(number))
                .orElseThrow(() -> new IllegalStateException("It ended immediately after the start."));
    }

    /** Returns the main process of the server, if it runs. */
    private Optional<ProcessHandle> postmaster() throws IOException {
        return postmaster(data.resolve("postmaster.pid"), inUse);
    }

    /** Stops the server that a killed process has left on this directory, if there is one. */
    private static void stopOrphan(Path data, Path programs) throws IOException {
        var orphan = postmaster(data.resolve("postmaster.pid"), programs);
        if (orphan.isEmpty()) {
            return;
        }
        log.warn(
                "Stopping PostgreSQL (process {}), which a killed Berth left running.",
                orphan.get().pid());
        // a fast shutdown ends sessions and keeps what they committed; every shell has kill, not every system does
        new ProcessBuilder("sh", "-c", "kill -INT " + orphan.get().pid())
                .inheritIO()
                .start();
        try {
            orphan.get().onExit().get(SHUTDOWN.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new StartRefused(
                    "PostgreSQL (process %d), which a killed Berth left running, does not stop."
                            .formatted(orphan.get().pid()),
                    "End that process and start Berth again; the data are in " + data + ".");
        }
    }

    /**
     * Returns the process whose id is in the file; empty if that process is not one of our programs, because the id may have been reused.
     * Removes a file that a crash of the machine left empty or damaged: it names no process and would only prevent a start.
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
            log.warn("The file {} was damaged, and Berth has removed it.", pidFile);
            Files.delete(pidFile);
            return Optional.empty();
        }
        long number = Long.parseLong(first);
        var process = ProcessHandle.of(number);
        var program = process.flatMap(found -> found.info().command());
        if (program.map(Path::of).filter(path -> path.startsWith(programs)).isPresent()) {
            return process;
        }
        program.ifPresent(other -> log.info(
                "The file {} names process {}, which is {} and not PostgreSQL: the number has been given to it since.",
                pidFile,
                number,
                other));
        // without a program it has ended, but its parent has not reaped it yet
        disown(pidFile);
        return Optional.empty();
    }

    /**
     * Replaces the process id in the file by one that is never used. PostgreSQL would take any process or thread with the old id for its
     * predecessor, which is likely after a restart of the machine, and in a container, where process ids begin at 1 after each start. The rest of the file stays, because it tells
     * PostgreSQL whether the predecessor's memory is still in use.
     */
    private static void disown(Path pidFile) throws IOException {
        var lines = Files.readAllLines(pidFile, StandardCharsets.ISO_8859_1);
        lines.set(0, Integer.toString(Integer.MAX_VALUE));
        Files.write(pidFile, lines, StandardCharsets.ISO_8859_1);
    }

    /** Returns the server on that directory, which another process has started. */
    static JdbcConnectionDetails running(Path directory) throws IOException {
        // in PostgreSQL's own file the fourth line is the port
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
        return JDBC_URL.formatted(port);
    }

    @Override
    public void close() {
        isClosed = true;
        watch.interrupt();
        try {
            stop();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Threads.OF_THE_JVM.awaitEnd(List.of(watch), ENDING);
        }
    }

    private synchronized void stop() throws IOException {
        server.close();
    }
}
