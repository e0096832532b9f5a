package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.springframework.util.FileSystemUtils;

/**
 * Measures, after the active one of three instances has ended, how long it takes until every cluster has granted a later request at one of
 * the others.
 *
 * <pre>Takeovers CLUSTERS LIVE ROUNDS [KILL|TERM|STOP]</pre>
 *
 * <p>Each cluster has that many live reservations. Needs the jar ({@code mvn package}).
 */
final class Takeovers implements AutoCloseable {

    private static final Duration STARTUP = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration STILL = Duration.ofSeconds(20);

    /** The time after which a restarted instance is idle. */
    private static final Duration REST = Duration.ofSeconds(15);

    /** A way for the active instance to end. */
    private enum End {
        KILL,
        TERM,
        STOP
    }

    /** An instance and its process. */
    private static final class Instance {
        private final Installation installation;
        private JavaProcess process;

        Instance(Installation installation) throws IOException {
            this.installation = installation;
            this.process = installation.launch();
        }

        void isUp() throws Exception {
            Waiting.until(STARTUP, process::output, () -> Api.isHealthy(installation.url()));
        }

        void startAgain() throws Exception {
            process = installation.launch();
            isUp();
        }
    }

    private final Path directory = Files.createTempDirectory("takeovers");
    private final SharedDatabase database;
    private final List<String> clusters;
    private final List<Instance> instances = new ArrayList<>();
    private final Map<Integer, Integer> statuses = new ConcurrentHashMap<>();

    private Takeovers(int clusters, int live) throws Exception {
        database = SharedDatabase.in(directory);
        this.clusters = clusters == 1
                ? List.of("history")
                : IntStream.rangeClosed(1, clusters)
                        .mapToObj(number -> "history-" + number)
                        .toList();
        generate(clusters, live);
        for (int i = 0; i < 3; i++) {
            var installation =
                    database.instance(Program.measured(), Files.createDirectory(directory.resolve("at-" + i)));
            var instance = new Instance(installation);
            instances.add(instance);
            instance.isUp();
        }
        Thread.sleep(REST);
    }

    private void generate(int clusters, int live) throws IOException, InterruptedException {
        run(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "berth.store.HistoryGenerator",
                "0",
                Integer.toString(live),
                Integer.toString(clusters)));
        var rebuild = new ArrayList<>(Program.measured().command());
        rebuild.add("rebuild");
        run(rebuild);
    }

    private void run(List<String> command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).inheritIO();
        process.environment()
                .putAll(Map.of(
                        "BERTH_DATA_DIR", directory.resolve("generator").toString(),
                        "SPRING_DATASOURCE_URL", database.address(),
                        "SPRING_DATASOURCE_USERNAME", "postgres"));
        assertThat(process.start().waitFor())
                .as("whether %s ends well", command)
                .isZero();
    }

    public static void main(String[] arguments) throws Exception {
        int clusters = Integer.parseInt(arguments[0]);
        int live = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        var ends = arguments.length > 3 ? List.of(End.valueOf(arguments[3])) : List.of(End.values());
        try (var takeovers = new Takeovers(clusters, live)) {
            System.out.printf("%d clusters of %,d live reservations, seconds of %d rounds%n", clusters, live, rounds);
            for (var end : ends) {
                takeovers.statuses.clear();
                var times = new ArrayList<Double>();
                for (int round = 0; round < rounds; round++) {
                    times.add(takeovers.play(end).toMillis() / 1000.0);
                }
                times.sort(null);
                System.out.printf(
                        Locale.ROOT,
                        "%s: median %.1f, 95 %% %.1f, most %.1f; answers %s; %s%n",
                        end,
                        times.get(times.size() / 2),
                        times.get((int) Math.ceil(0.95 * times.size()) - 1),
                        times.getLast(),
                        takeovers.statuses,
                        times);
            }
        }
    }

    private Duration play(End end) throws Exception {
        var active = active();
        var others = instances.stream().filter(instance -> instance != active).toList();
        var process = ProcessHandle.of(active.process.pid()).orElseThrow();
        // everything in progress is done
        bookAt(others);
        long began = System.nanoTime();
        switch (end) {
            case KILL -> process.destroyForcibly();
            case TERM -> active.process.askToStop();
            case STOP -> Installation.signal(process, "STOP");
        }
        bookAt(others);
        var took = Duration.ofNanos(System.nanoTime() - began);
        if (end == End.STOP) {
            Thread.sleep(STILL);
            Installation.signal(process, "CONT");
        }
        int code = active.process.awaitExit(PATIENCE);
        assertThat(end != End.STOP || code == 3)
                .as("it ends with code 3, not %d", code)
                .isTrue();
        active.startAgain();
        Thread.sleep(REST);
        return took;
    }

    private Instance active() throws Exception {
        var answer = new Api(instances.getFirst().installation.url(), SharedDatabase.TOKEN).get("/instances");
        for (var each : answer.body().path("items")) {
            if (each.path("state").asString().equals("ACTIVE")) {
                return instances.stream()
                        .filter(instance -> instance.installation
                                .url()
                                .equals(each.path("url").asString()))
                        .findAny()
                        .orElseThrow();
            }
        }
        throw new AssertionError("Nobody decides: " + answer);
    }

    /** Returns once every cluster has granted a run; all are requested at the same time. */
    private void bookAt(List<Instance> asked) throws Exception {
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var booked = new ArrayList<Future<?>>();
            for (int i = 0; i < clusters.size(); i++) {
                var cluster = clusters.get(i);
                var api = new Api(asked.get(i % asked.size()).installation.url(), SharedDatabase.TOKEN);
                booked.add(clients.submit((Callable<Boolean>) () -> book(api, cluster)));
            }
            for (var each : booked) {
                each.get();
            }
        }
    }

    private boolean book(Api api, String cluster) throws InterruptedException {
        var key = UUID.randomUUID().toString();
        var ready = Instant.now().plus(30, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
        var body = "{\"cluster\":\"%s\",\"terms\":{\"duration\":\"PT1M\",\"pes\":1,\"readyTime\":\"%s\"}}"
                .formatted(cluster, ready);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            int status = statusOf(api, body, key);
            statuses.merge(status, 1, Integer::sum);
            if (status == 201) {
                return true;
            }
            Thread.sleep(20);
        }
        throw new AssertionError("%s books nothing any more: %s".formatted(cluster, statuses));
    }

    /** Returns the status; zero if there was no answer. */
    private static int statusOf(Api api, String body, String key) {
        try {
            return api.post("/reservations", body, key).status();
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public void close() throws Exception {
        for (var instance : instances) {
            instance.installation.close();
        }
        database.close();
        FileSystemUtils.deleteRecursively(directory);
    }
}
