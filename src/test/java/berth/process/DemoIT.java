package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The demo as somebody sees it who starts it. */
class DemoIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void theDemoHasAPastAndAFutureAndLeavesNothingBehind() throws Exception {
        int port = freePort();
        var temporary = Files.createDirectory(directory.resolve("tmp"));
        var service = start(
                Map.of("SERVER_PORT", Integer.toString(port), "JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary));
        try {
            Waiting.until(PATIENCE, service::output, () -> {
                assertThat(service.isAlive()).as(service.output()).isTrue();
                return service.output().contains("The demo is ready");
            });
            assertThat(service.output()).contains("http://localhost:" + port).doesNotContain("WARN", "ERROR");

            var url = "http://localhost:" + port;
            var accounts = demo(port, "localhost:" + port).path("accounts");
            assertThat(accounts.valueStream()
                            .map(account -> account.path("role").asString()))
                    .containsExactly("CLIENT", "ADMIN", "VIEWER");
            assertThat(demo(port, "127.0.0.1:" + port)).isEqualTo(demo(port, "[::1]:" + port));
            assertThat(demo(port, "berth.example.org:" + port).path("code").asString())
                    .isEqualTo("forbidden");
            for (var account : accounts) {
                var me = new Api(url, account.path("token").asString()).get("/me");
                assertThat(me.body().path("name")).isEqualTo(account.path("name"));
                assertThat(me.body().path("role")).isEqualTo(account.path("role"));
            }

            var client = new Api(url, accounts.get(0).path("token").asString());
            var admin = new Api(url, accounts.get(1).path("token").asString());
            assertThat(client.get("").body().path("demo").asBoolean()).isTrue();
            var reservations = admin.all("/reservations");
            var now = Instant.now();
            assertThat(states(reservations)).contains("COMPLETED", "RUNNING", "CONFIRMED", "CANCELLED");
            assertThat(states(client.all("/reservations"))).contains("COMPLETED", "CONFIRMED", "WAITING");
            assertThat(reservations)
                    .anyMatch(each -> begins(each).isBefore(now.minus(Duration.ofDays(10))))
                    .anyMatch(each -> begins(each).isAfter(now.plus(Duration.ofDays(10))))
                    .anyMatch(each -> !each.path("proposal").isMissingNode()
                            && !each.path("proposal").isNull());
            assertThat(client.all("/reservations"))
                    .anyMatch(each -> each.path("proposal").isObject());
            assertThat(admin.all("/series")).hasSize(1);
            assertThat(admin.get("/clusters/demo-gpu/maintenances").body().path("items"))
                    .hasSize(1);
            assertThat(admin.get("/clusters/demo-gpu/outages")
                            .body()
                            .path("items")
                            .valueStream())
                    .anyMatch(outage -> outage.path("to").isNull());

            var balance = client.get("/projects/cryo-em/balance").body();
            double granted = amount(balance, "granted");
            assertThat((amount(balance, "held") + amount(balance, "charged")) / granted)
                    .isBetween(0.8, 0.9);
        } finally {
            service.askToStop();
            service.awaitExit(PATIENCE);
        }
        try (var left = Files.list(temporary)) {
            // the library of PostgreSQL leaves some directories
            assertThat(left).noneMatch(file -> file.getFileName().toString().startsWith("berth-demo"));
        }
    }

    private static List<String> states(List<JsonNode> reservations) {
        return reservations.stream()
                .map(each -> each.path("state").asString())
                .distinct()
                .toList();
    }

    private static Instant begins(JsonNode reservation) {
        var start = reservation.path("placement").path("start").asString("");
        return start.isEmpty() ? Instant.now() : Instant.parse(start);
    }

    private static Instant ends(JsonNode reservation) {
        return Instant.parse(reservation.path("placement").path("end").asString());
    }

    private static double amount(JsonNode balance, String which) {
        return Double.parseDouble(balance.path(which).path("amount").asString());
    }

    /** Asks for the demo's tokens. */
    private static JsonNode demo(int port, String host) throws IOException {
        var response = read(port, host, "/demo");
        return JsonMapper.shared().readTree(response.substring(response.indexOf("\r\n\r\n")));
    }

    /** Returns a response with its headers. Sends that header Host, which Java's client does not let a test choose. */
    private static String read(int port, String host, String path) throws IOException {
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream()
                    .write("GET %s HTTP/1.0\r\nHost: %s\r\n\r\n"
                            .formatted(path, host)
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aDemoTouchesNoDataOfAnOrdinaryService() throws Exception {
        var data = directory.resolve("data");
        var inTheWay = start(Map.of("BERTH_DATA_DIR", data.toString()));
        assertThat(inTheWay.awaitExit(PATIENCE)).isEqualTo(1);
        assertThat(inTheWay.output()).contains("BERTH_DATA_DIR, to " + data, "Unset BERTH_DATA_DIR");
        assertThat(data).doesNotExist();

        var external = start(Map.of("SPRING_DATASOURCE_URL", "jdbc:postgresql://localhost:1/berth"));
        assertThat(external.awaitExit(PATIENCE)).isEqualTo(1);
        assertThat(external.output()).contains("Unset SPRING_DATASOURCE_URL");
    }

    @Test
    void runsEndWhileOneWatchesADemoWhoseTimeRunsFaster() throws Exception {
        int port = freePort();
        var service = start(Map.of("SERVER_PORT", Integer.toString(port), "BERTH_DEMO_SPEED", "100"));
        try {
            Waiting.until(PATIENCE, service::output, () -> {
                assertThat(service.isAlive()).as(service.output()).isTrue();
                return service.output().contains("Its time runs 100 times as fast");
            });
            var token = demo(port, "localhost:" + port)
                    .path("accounts")
                    .get(1)
                    .path("token")
                    .asString();
            var admin = new Api("http://localhost:" + port, token);
            var running = admin.all("/reservations").stream()
                    .filter(each -> each.path("state").asString().equals("RUNNING"))
                    .min(Comparator.comparing(DemoIT::ends))
                    .orElseThrow();

            Waiting.until(PATIENCE, service::output, () -> {
                var now = admin.get("/reservations/" + running.path("id").asString());
                return now.body().path("state").asString().equals("COMPLETED");
            });
            var headers = read(port, "localhost:" + port, "/api/v1").lines().toList();
            assertThat(headers).contains("Berth-Speed: 100");
            assertThat(headers)
                    .filteredOn(line -> line.startsWith("Date: "))
                    .map(line -> DateTimeFormatter.RFC_1123_DATE_TIME.parse(line.substring(6), Instant::from))
                    .singleElement()
                    .satisfies(date -> assertThat(date).isAfterOrEqualTo(ends(running)));
        } finally {
            service.askToStop();
            service.awaitExit(PATIENCE);
        }
    }

    @Test
    void onlyADemoRunsFasterAndNotAtAnySpeed() throws Exception {
        var data = directory.resolve("data").toString();
        var ordinary = start(Map.of("BERTH_DEMO", "false", "BERTH_DEMO_SPEED", "60", "BERTH_DATA_DIR", data));
        assertThat(ordinary.awaitExit(PATIENCE)).isEqualTo(1);
        assertThat(ordinary.output()).contains("berth.demo-speed", "Only the time of a demo can run faster.");

        var unclear = start(Map.of("BERTH_DEMO_SPEED", "101"));
        assertThat(unclear.awaitExit(PATIENCE)).isEqualTo(1);
        assertThat(unclear.output()).contains("berth.demo-speed", "It must be a whole number from 1 to 100.");
    }

    @Test
    void anotherWordThanTrueOrFalseIsRefused() throws Exception {
        var unclear = start(Map.of(
                "BERTH_DEMO", "1", "BERTH_DATA_DIR", directory.resolve("data").toString()));
        assertThat(unclear.awaitExit(PATIENCE)).isEqualTo(1);
        assertThat(unclear.output()).contains("berth.demo", "It must be true or false.");
    }

    private JavaProcess start(Map<String, String> settings) throws IOException {
        var environment = new HashMap<>(Map.of("BERTH_DEMO", "true"));
        environment.putAll(settings);
        return JavaProcess.start(
                Program.shipped(), Files.createTempFile(directory, "demo", ".log"), environment, List.of());
    }

    private static int freePort() throws IOException {
        try (var free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }
}
