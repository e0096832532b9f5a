package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A data directory and a port, on which one service after another is started. Closing it ends every process that uses the data directory,
 * including those that outlived a killed service.
 */
final class Installation implements AutoCloseable {

    private static final Duration STARTUP = Duration.ofMinutes(3);
    private static final Duration CLEAN_UP = Duration.ofMinutes(1);

    private final Program program;
    private final Path data;
    private final int port;
    private final Map<String, String> settings = new HashMap<>();
    private final List<JavaProcess> started = new ArrayList<>();

    private Installation(Program program, Path data, int port) {
        this.program = program;
        this.data = data;
        this.port = port;
    }

    /** Creates one with a new data directory. */
    static Installation in(Path parent) throws IOException {
        return of(Program.quick(), parent);
    }

    /** Creates one with another program than the usual one. */
    static Installation of(Program program, Path parent) throws IOException {
        try (var free = new ServerSocket(0)) {
            return new Installation(program, parent.resolve("data"), free.getLocalPort());
        }
    }

    /** Adds an environment variable. */
    Installation with(String variable, String value) {
        settings.put(variable, value);
        return this;
    }

    Path data() {
        return data;
    }

    String url() {
        return "http://localhost:" + port;
    }

    /** Returns a client with the administrator's token. */
    Api api() throws IOException {
        return new Api(url(), token());
    }

    /** Returns the administrator's token. */
    String token() throws IOException {
        return Files.readString(tokenFile()).strip();
    }

    Path tokenFile() {
        return data.resolve("admin.token");
    }

    /** Starts a service without waiting. */
    JavaProcess launch() throws IOException {
        var environment = new HashMap<>(settings);
        environment.put("BERTH_DATA_DIR", data.toString());
        environment.put("SERVER_PORT", Integer.toString(port));
        var log = Files.createTempFile(data.toAbsolutePath().getParent(), "service", ".log");
        var service = JavaProcess.start(program, log, environment, List.of());
        started.add(service);
        return service;
    }

    /** Starts a service and waits until it reports itself healthy. */
    JavaProcess start() throws Exception {
        var service = launch();
        Waiting.until(STARTUP, service::output, () -> {
            assertThat(service.isAlive())
                    .as("the service starts; it says:%n%s", service.output())
                    .isTrue();
            return Api.isHealthy(url());
        });
        return service;
    }

    /** Returns the service that was started last. */
    JavaProcess last() {
        return started.getLast();
    }

    /** Returns the main process of the embedded PostgreSQL. */
    ProcessHandle postgres() throws IOException {
        return ProcessHandle.of(Long.parseLong(serverFile().getFirst())).orElseThrow();
    }

    /** Returns the URL of the embedded PostgreSQL. */
    String databaseUrl() throws IOException {
        return "jdbc:postgresql://localhost:%s/postgres".formatted(serverFile().get(3));
    }

    String databasePassword() throws IOException {
        return Files.readString(data.resolve("postgresql.password")).strip();
    }

    Connection connectToDatabase() throws IOException, SQLException {
        return DriverManager.getConnection(databaseUrl(), "postgres", databasePassword());
    }

    private List<String> serverFile() throws IOException {
        return Files.readAllLines(data.resolve("postgresql").resolve("postmaster.pid"));
    }

    @Override
    public void close() throws Exception {
        started.stream().filter(JavaProcess::isAlive).forEach(JavaProcess::killHard);
        for (var left : processesOnData()) {
            // a fast shutdown of PostgreSQL
            signal(left, "INT");
        }
        Waiting.until(
                CLEAN_UP,
                () -> "Left: " + processesOnData(),
                () -> processesOnData().isEmpty());
    }

    /** Sends a signal for which Java has no method; does nothing if the process has ended. */
    static void signal(ProcessHandle process, String name) throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -%s %d 2>/dev/null".formatted(name, process.pid()))
                .start()
                .waitFor();
    }

    /** Returns every process whose command line contains the data directory. */
    List<ProcessHandle> processesOnData() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(data.toString()))
                        .isPresent())
                .toList();
    }
}
