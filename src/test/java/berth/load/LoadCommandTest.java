package berth.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LoadCommandTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    private record Asked(String call, String token, String key, JsonNode body) {}

    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer service;
    private volatile int cluster = 404;
    private volatile int reserved = 201;

    @BeforeEach
    void startService() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setExecutor(threads);
        service.createContext("/", this::answer);
        service.start();
    }

    @AfterEach
    void stopService() {
        service.stop(0);
        threads.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String call = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            byte[] sent = exchange.getRequestBody().readAllBytes();
            asked.add(new Asked(
                    call,
                    String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")),
                    String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")),
                    JSON.readTree(sent.length == 0 ? "{}".getBytes(StandardCharsets.UTF_8) : sent)));
            byte[] body = "{\"any\":\"thing\"}".getBytes(StandardCharsets.UTF_8);
            switch (call) {
                case "POST /api/v1/clusters" -> exchange.sendResponseHeaders(201, -1);
                case "POST /api/v1/probes" -> {
                    // a length of 0 sends chunks
                    exchange.sendResponseHeaders(200, 0);
                    exchange.getResponseBody().write(body);
                }
                case "POST /api/v1/reservations" -> {
                    if (asked.size() % 5 == 0) {
                        exchange.getResponseHeaders().add("Connection", "close");
                    }
                    exchange.sendResponseHeaders(reserved, body.length);
                    exchange.getResponseBody().write(body);
                }
                default -> exchange.sendResponseHeaders(cluster, -1);
            }
        }
    }

    @Test
    void makesCallsOfBothKindsAtTheirRates() {
        int exitCode = load("--call", "reserve@200", "--call", "probe@100");

        // on a busy machine, some calls cannot be made before the end
        long neverMade = measured("reserve@200", "never made") + measured("probe@100", "never made");
        assertThat(exitCode).as(err.toString()).isEqualTo(neverMade == 0 ? 0 : LoadCommand.UNSUCCESSFUL);
        long reserves = calls("POST /api/v1/reservations").size();
        long probes = calls("POST /api/v1/probes").size();
        assertThat(figures("reserve@200", "requests")).hasSize(2).satisfies(LoadCommandTest::areAbove0);
        assertThat(sum(figures("reserve@200", "answered 201"))).isEqualTo(reserves);
        assertThat(sum(figures("probe@100", "answered 200"))).isEqualTo(probes);
        for (var name : List.of("mean, ms", "p50, ms", "p90, ms", "p99, ms", "p99.9, ms", "max, ms")) {
            assertThat(figures("reserve@200", name)).hasSize(2).satisfies(LoadCommandTest::areAbove0);
        }
        assertThat(asked).allSatisfy(each -> assertThat(each.token()).isEqualTo("Bearer secret"));
    }

    @Test
    void reservesADayAheadUnderAKeyOfItsOwnEachTime() {
        Instant begin = Instant.now();
        assertThat(load("--call", "reserve", "--cluster", "big one"))
                .as(err.toString())
                .isZero();

        assertThat(calls("GET /api/v1/clusters/big%20one")).hasSize(1);
        assertThat(calls("POST /api/v1/clusters"))
                .singleElement()
                .satisfies(each ->
                        assertThat(each.body()).isEqualTo(JSON.readTree("{\"id\":\"big one\",\"pes\":10000000}")));
        List<Asked> reserves = calls("POST /api/v1/reservations");
        assertThat(reserves).hasSizeGreaterThan(1).allSatisfy(each -> {
            assertThat(each.body().path("cluster").asString()).isEqualTo("big one");
            assertThat(Instant.parse(each.body().path("terms").path("readyTime").asString()))
                    .isAfter(begin.plusSeconds(86_000));
        });
        assertThat(reserves).extracting(Asked::key).doesNotHaveDuplicates().doesNotContain("null");
    }

    @Test
    void reservesAsFarAheadAsTheOptionSays() {
        Instant begin = Instant.now();
        assertThat(load("--call", "reserve", "--ahead", "PT2M"))
                .as(err.toString())
                .isZero();

        assertThat(calls("POST /api/v1/reservations"))
                .isNotEmpty()
                .allSatisfy(each -> assertThat(Instant.parse(
                                each.body().path("terms").path("readyTime").asString()))
                        .isBetween(begin.plusSeconds(119), begin.plusSeconds(3600)));
    }

    @Test
    void leavesTheChoiceAmongSeveralClustersToTheService() {
        cluster = 200;
        assertThat(load("--call", "reserve", "--cluster", "a", "--cluster", "b"))
                .isZero();

        assertThat(calls("POST /api/v1/clusters")).isEmpty();
        assertThat(calls("POST /api/v1/reservations")).isNotEmpty().allSatisfy(each -> {
            assertThat(each.body().has("cluster")).isFalse();
            assertThat(each.body().path("clusters")).isEqualTo(JSON.readTree("[\"a\",\"b\"]"));
        });
    }

    @Test
    void reportsCallsThatFailed() {
        reserved = 409;
        assertThat(load("--call", "reserve@50")).isEqualTo(LoadCommand.UNSUCCESSFUL);

        assertThat(sum(figures("reserve@50", "answered 409")))
                .isEqualTo(calls("POST /api/v1/reservations").size());
    }

    @ParameterizedTest
    @CsvSource({"401, refuses the token (401)", "403, refuses the token (403)", "500, answers 500 for cluster load"})
    void reportsThatTheClusterCannotBeRead(int status, String said) {
        cluster = status;
        assertThat(load("--call", "probe@1")).isEqualTo(LoadCommand.BAD_INPUT);

        assertThat(err.toString()).contains(said).contains("--cluster").doesNotContain("Exception");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void reportsThatTheServiceDoesNotAnswer() {
        service.stop(0);

        assertThat(load("--call", "probe@1")).isEqualTo(LoadCommand.NOT_THERE);
        assertThat(err.toString()).contains("does not answer", "--url");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--ahead PT9S",
                "--ahead PT721H",
                "--connections 0",
                "--connections 1001",
                "--duration PT0S",
                "--duration PT25H",
                "--warm-up PT-1S",
                "--url localhost:8080",
                "--call insert",
                "--call probe@0",
                "--duration soon"
            })
    void namesTheInvalidOption(String option) {
        List<String> arguments = new ArrayList<>(List.of("--call", "probe@1"));
        arguments.addAll(List.of(option.split(" ")));
        assertThat(load(arguments.toArray(String[]::new))).isEqualTo(LoadCommand.BAD_INPUT);

        var words = option.split(" ");
        assertThat(err.toString()).contains(words[0], words[1].replace("probe@0", "a rate of 0"));
        assertThat(asked).isEmpty();
    }

    private List<Asked> calls(String call) {
        return asked.stream().filter(each -> each.call().equals(call)).toList();
    }

    private static long sum(List<String> figures) {
        return figures.stream().mapToLong(Long::parseLong).sum();
    }

    private static void areAbove0(List<? extends String> figures) {
        assertThat(figures)
                .allSatisfy(each -> assertThat(Double.parseDouble(each)).isPositive());
    }

    private long measured(String call, String name) {
        return Long.parseLong(figures(call, name).getLast());
    }

    /** Returns the columns of a line in the block of a call. */
    private List<String> figures(String call, String name) {
        return out.toString()
                .lines()
                .dropWhile(line -> !line.startsWith(call + " "))
                .takeWhile(line -> !line.isEmpty())
                .filter(line -> line.startsWith(name + " "))
                .flatMap(line -> List.of(line.substring(name.length()).strip().split(" +")).stream())
                .toList();
    }

    /** Runs the command briefly against the stub. The given options override the defaults. */
    private int load(String... options) {
        List<String> arguments = new ArrayList<>();
        var given = List.of(options);
        var defaults = List.of(
                List.of("--url", "http://localhost:" + service.getAddress().getPort()),
                List.of("--token", "secret"),
                List.of("--connections", "4"),
                List.of("--warm-up", "PT0.3S"),
                List.of("--duration", "PT0.5S"));
        defaults.stream().filter(each -> !given.contains(each.getFirst())).forEach(arguments::addAll);
        arguments.addAll(given);
        return new CommandLine(new LoadCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }
}
