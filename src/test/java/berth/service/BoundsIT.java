package berth.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/** Checks how much of the service a single client can take, however careless or hostile it is. */
@TestPropertySource(properties = {"berth.calls.per-account=4", "berth.calls.in-all=12"})
class BoundsIT extends ServiceSuite {

    private static final String TERMS = "{\"terms\":{\"duration\":\"PT1H\",\"pes\":1}%s}";

    @Test
    void aRequestHasALimitOfKilobytesAndABatchQueueOfMegabytes() {
        var cluster = newOutsideCluster(4);

        assertThat(client().post("/api/v1/probes", TERMS.formatted(" ".repeat(60 << 10)))
                        .status())
                .isEqualTo(200);
        assertThat(client().post("/api/v1/probes", TERMS.formatted(" ".repeat(64 << 10)))
                        .text("code"))
                .isEqualTo("too-large");
        assertThat(queue(cluster, " ".repeat(7 << 20)).status()).isEqualTo(200);
        assertThat(queue(cluster, " ".repeat(8 << 20)).status()).isEqualTo(413);
    }

    private Api.Reply queue(String cluster, String space) {
        return admin.send(admin.request("/api/v1/clusters/" + cluster + "/jobs")
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"jobs\":[" + space + "]}")));
    }

    @Test
    void jsonWithTooManyOrTooDeepValuesIsRejected() {
        var cluster = newOutsideCluster(4);
        var many = queue(cluster, "[],".repeat(200_000) + "[]");
        var deep =
                client().post("/api/v1/probes", TERMS.formatted(",\"orderBy\":" + "[".repeat(200) + "]".repeat(200)));

        assertThat(many.text("code")).isEqualTo("malformed");
        assertThat(deep.text("code")).isEqualTo("malformed");
        assertThat(deep.text("detail")).contains("nested too deeply");
    }

    @Test
    void aMalformedPreferenceIsNamed() {
        var number = client().post("/api/v1/probes", TERMS.formatted(",\"orderBy\":7"));
        var list = client().post("/api/v1/probes", TERMS.formatted(",\"orderBy\":[{},{}]"));
        var weight = client().post("/api/v1/probes", TERMS.formatted(",\"orderBy\":{\"price\":\"1\"}"));

        assertThat(number.text("errors.0.field")).isEqualTo("orderBy");
        assertThat(number.text("errors.0.value")).isEqualTo("7");
        assertThat(list.text("errors.0.field")).isEqualTo("orderBy");
        assertThat(weight.text("errors.0.field")).isEqualTo("orderBy.price");
        assertThat(weight.status()).isEqualTo(400);
    }

    /**
     * Reproduces an earlier fault: one PE and one PE-hour blocked a cluster for 90 days, and limits did not apply to collected requests.
     */
    @Test
    void limitsBindReservationsHoldsAndJobs() {
        var name = newName();
        var token = tokenOf(name, "CLIENT");
        var limited = new Api(port, Optional.of(token));
        admin.patch("/api/v1/accounts/" + name, """
                {"limits":{"activeReservations":1,"pes":1,"peHours":1,"jobs":1,"holds":0}}""");
        var cluster = newName();
        admin.post("/api/v1/clusters", "{\"id\":\"%s\",\"pes\":16}".formatted(cluster));
        var jobs = "/api/v1/clusters/%s/jobs".formatted(cluster);
        var collecting = newName();
        admin.post("/api/v1/clusters", """
                {"id":"%s","pes":16,"intake":{"order":"DPSAR","window":"PT1H"}}""".formatted(collecting));

        assertThat(field(limited.post(jobs, "{\"pes\":16,\"estimate\":\"PT1H\"}")))
                .isEqualTo("limits.pes");
        assertThat(field(limited.post(jobs, "{\"pes\":1,\"estimate\":\"PT2H\"}")))
                .isEqualTo("limits.peHours");
        assertThat(field(limited.post(jobs, "{\"pes\":1,\"estimate\":\"P80D\"}")))
                .isEqualTo("estimate");
        assertThat(limited.post(jobs, "{\"pes\":1,\"estimate\":\"PT30M\"}").status())
                .isEqualTo(201);
        assertThat(field(limited.post(jobs, "{\"pes\":1,\"estimate\":\"PT1M\"}")))
                .isEqualTo("limits.jobs");
        assertThat(field(reserve(limited, collecting, "{\"duration\":\"PT5H\",\"pes\":1}")))
                .isEqualTo("limits.pes");
        assertThat(field(limited.post("/api/v1/reservations", hold(cluster, "PT5M"))))
                .isEqualTo("limits.holds");
        assertThat(field(client().post("/api/v1/reservations", hold(cluster, "P80D"))))
                .isEqualTo("hold");
    }

    private static String hold(String cluster, String howLong) {
        return """
                {"cluster":"%s","hold":"%s","terms":{"duration":"PT1M","pes":1,"readyTime":"%s"}}""".formatted(cluster, howLong, at(24));
    }

    private static String field(Api.Reply reply) {
        return reply.text("errors.0.field");
    }

    /** Calls of one account that never finish their bodies do not block other accounts, and they end. */
    @Test
    @Tag("full")
    void oneAccountHasItsShareOfTheCallsAndSlowBodiesEnd() throws Exception {
        var token = tokenOf(newName(), "CLIENT");
        var slow = new Api(port, Optional.of(token));
        var held = new ArrayList<Socket>();
        try {
            for (int i = 0; i < 4; i++) {
                held.add(halfSent("POST /api/v1/probes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token
                        + "\r\nContent-Type: application/json\r\nContent-Length: 3000\r\n\r\n{\"terms\":"));
            }
            await().until(() -> slow.get("/api/v1/clusters").status() == 429);
            assertThat(client().get("/api/v1/clusters").status()).isEqualTo(200);
            assertThat(new Api(port, Optional.empty()).get("/actuator/health").status())
                    .isEqualTo(200);

            for (var socket : held) {
                assertThat(heard(socket)).contains("HTTP/1.1 400", "\"code\":\"malformed\"");
            }
            await().until(() -> slow.get("/api/v1/clusters").status() == 200);
        } finally {
            close(held);
        }
    }

    /** A client cannot keep a connection open by sending a byte from time to time. */
    @Test
    @Tag("full")
    void theServiceGivesUpOnSlowHeadersAndBodies() throws Exception {
        var token = tokenOf(newName(), "CLIENT");
        var dripping = List.of(
                halfSent("GET /api/v1/clusters HTTP/1.1\r\nX-Drip: "),
                halfSent("POST /api/v1/probes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token
                        + "\r\nContent-Type: application/json\r\nContent-Length: 3000\r\n\r\n"),
                halfSent("POST /api/v1/probes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 3000\r\n\r\n"));
        try {
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> dripping.stream().allMatch(BoundsIT::isOver));
        } finally {
            close(dripping);
        }
    }

    @Test
    void documentsAreWrittenOnceAndReadAgainOnlyIfTheyHaveChanged() throws Exception {
        var nobody = new Api(port, Optional.empty());
        var first = nobody.get("/openapi");
        var again = nobody.send(nobody.request("/openapi?x=1")
                .header("If-None-Match", first.etag())
                .GET());

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.etag()).isNotEmpty();
        assertThat(again.status()).isEqualTo(304);
        assertThat(nobody.get("/openapi").body()).isEqualTo(first.body());
        assertThat(nobody.get("/actuator/health/db").status())
                .as("asks the database")
                .isEqualTo(401);
    }

    private Socket halfSent(String text) throws IOException {
        var socket = new Socket("localhost", port);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private static String heard(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Returns whether the server has closed the connection. A client learns this only on the second write after the close. */
    private static boolean isOver(Socket socket) {
        try {
            socket.getOutputStream().write('x');
            return false;
        } catch (SocketException e) {
            return true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void close(List<Socket> sockets) throws IOException {
        for (var socket : sockets) {
            socket.close();
        }
    }
}
