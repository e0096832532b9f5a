package berth.instances.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.http.BodyLimit;
import berth.http.CallsUnderWay;
import berth.http.FeedSecret;
import berth.http.ProblemWriter;
import berth.instances.Instance;
import berth.instances.Instances;
import berth.instances.Instances.Turn;
import berth.service.RestConfiguration;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;
import org.springframework.mock.web.DelegatingServletInputStream;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

class RelayTest {

    private static final UUID SELF = UUID.randomUUID();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** For what happens only after a time, and how long a check of the active instance counts. */
    private static final Duration SHORT = Duration.ofMillis(1500);

    /** The turns that the relay reads, one after the other; the last one stays. */
    private final Deque<Turn> turns = new ArrayDeque<>();

    private final List<String> heard = new ArrayList<>();
    private final Instances instances = new Instances() {
        @Override
        public Turn turn() {
            synchronized (turns) {
                return Objects.requireNonNull(turns.size() > 1 ? turns.poll() : turns.peek());
            }
        }

        @Override
        public List<Instance> all() {
            return List.of();
        }

        @Override
        public Optional<Instance> self() {
            return Optional.of(instance(0, ""));
        }

        @Override
        public Optional<String> obstacle() {
            return Optional.empty();
        }
    };
    private final ActiveAddress address = new ActiveAddress(instances, SHORT, new SimpleMeterRegistry());
    private final CallsUnderWay calls = new CallsUnderWay(new CallsUnderWay.Bounds(100, 50, 64 << 20, 16 << 20));
    private final Relay relay = relay(PATIENCE);
    private final MockHttpServletResponse response = new MockHttpServletResponse();
    private final List<String> decidedHere = new ArrayList<>();
    private final FilterChain chain = (request, _) -> decidedHere.add(
            new String(((HttpServletRequest) request).getInputStream().readAllBytes(), StandardCharsets.UTF_8));

    private HttpServer server = noServer();

    private Relay relay(Duration patience) {
        return new Relay(
                instances, patience, address, calls, new ProblemWriter(new JsonMapper()), new SimpleMeterRegistry());
    }

    private interface Answering {
        void answer(HttpExchange exchange) throws IOException;
    }

    private static HttpServer noServer() {
        try {
            return HttpServer.create();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** The deciding instance needs the secret, which this instance hides from everything else. */
    @Test
    void theSecretOfAFeedIsPassedOn() throws Exception {
        turns.add(there("/a", exchange -> exchange.sendResponseHeaders(304, -1)));
        var path = "/api/v1/feeds/feed_secret.ics";
        var request = new MockHttpServletRequest("GET", path);
        request.setServletPath(path);

        relay.doFilter(FeedSecret.hidden(request), response, chain);

        assertThat(heard).containsExactly("GET /a/api/v1/feeds/feed_secret.ics null ");
        assertThat(response.getStatus()).isEqualTo(304);
    }

    private Turn there(String path, Answering answering) {
        var instance = instance(server.getAddress().getPort(), path);
        answerAt(instance, instance, answering);
        return new Turn.There(instance);
    }

    /** Has the address of one instance lead to another. */
    private void answerAt(Instance named, Instance actual, Answering answering) {
        server.createContext(named.url().getPath(), exchange -> {
            if (ActiveAddress.CHECK.equals(exchange.getRequestHeaders().getFirst(Relay.RELAYED))) {
                assertThat(exchange.getRequestHeaders().getFirst("Authorization"))
                        .isNull();
                exchange.getResponseHeaders()
                        .add(ActiveAddress.INSTANCE, actual.id().toString());
                exchange.sendResponseHeaders(204, -1);
                return;
            }
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            heard.add("%s %s %s %s"
                    .formatted(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI(),
                            exchange.getRequestHeaders().getFirst("Authorization"),
                            body));
            assertThat(exchange.getRequestHeaders().getFirst(Relay.RELAYED)).isNotNull();
            answering.answer(exchange);
        });
    }

    /** The tokens of clients are not for the server that happens to be there. */
    @Test
    void noCallIsPassedOnToAnAddressThatLeadsToAnotherServer() throws Exception {
        var active = instance(server.getAddress().getPort(), "/wrong");
        answerAt(active, instance(0, ""), exchange -> exchange.sendResponseHeaders(200, -1));
        turns.add(new Turn.There(active));

        relay(SHORT).doFilter(reserve(), response, chain);

        assertThat(heard).isEmpty();
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getContentAsString()).contains("cannot reach the active instance");
        assertThat(RestConfiguration.health(instances, address::isReached).getStatus())
                .isEqualTo(Status.DOWN);
    }

    @Test
    void anInstanceReturnsItsIdToInstancesThatCheckItsAddress() throws Exception {
        turns.add(new Turn.Here());
        var request = new MockHttpServletRequest("GET", "/");
        request.addHeader(Relay.RELAYED, ActiveAddress.CHECK);

        call(request);

        assertThat(response.getStatus()).isEqualTo(204);
        assertThat(response.getHeader(ActiveAddress.INSTANCE)).isEqualTo(SELF.toString());
        assertThat(decidedHere).isEmpty();
    }

    @Test
    void aStandbyIsReadyOnlyWhileTheAddressOfTheActiveInstanceLeadsToIt() {
        turns.add(there("/one", exchange -> exchange.sendResponseHeaders(200, -1)));
        assertThat(RestConfiguration.health(instances, address::isReached).getStatus())
                .isEqualTo(Status.DOWN);

        await().until(() -> {
            address.look();
            return RestConfiguration.health(instances, address::isReached)
                    .getStatus()
                    .equals(Status.UP);
        });

        server.stop(0);
        await().until(() -> {
            address.look();
            return RestConfiguration.health(instances, address::isReached)
                    .getStatus()
                    .equals(Status.DOWN);
        });
    }

    private static Instance instance(int port, String path) {
        return new Instance(
                port == 0 ? SELF : UUID.randomUUID(),
                "another",
                URI.create("http://localhost:%d%s".formatted(port, path)),
                "1",
                Instance.State.ACTIVE,
                Instant.EPOCH,
                Instant.EPOCH);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        exchange.getResponseHeaders().add("Location", "/there");
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static MockHttpServletRequest reserve() {
        var request = new MockHttpServletRequest("POST", "/api/v1/reservations");
        request.setQueryString("a=b%20c");
        request.addHeader("Authorization", "Bearer secret");
        request.setContent("terms".getBytes(StandardCharsets.UTF_8));
        return request;
    }

    private void call(MockHttpServletRequest request) throws Exception {
        relay.doFilter(request, response, chain);
    }

    @Test
    void theActiveInstanceDecidesCallsItself() throws Exception {
        turns.add(new Turn.Here());

        call(reserve());

        assertThat(decidedHere).containsExactly("terms");
    }

    @Test
    void aCallAndItsAnswerArePassedOnUnchanged() throws Exception {
        turns.add(there("/one", exchange -> answer(exchange, 409, "no slot")));

        call(reserve());

        assertThat(heard).containsExactly("POST /one/api/v1/reservations?a=b%20c Bearer secret terms");
        assertThat(response.getStatus()).isEqualTo(409);
        assertThat(response.getHeader("Location")).isEqualTo("/there");
        assertThat(response.getContentAsString()).isEqualTo("no slot");
        assertThat(decidedHere).isEmpty();
    }

    /** Anybody can send a standby the list of a batch system, without a token. */
    @Test
    void bodiesThatWaitHaveABoundTogether() throws Exception {
        turns.add(there("/one", exchange -> answer(exchange, 200, "")));
        var release = new CountDownLatch(1);
        var waiting = new ArrayList<Future<?>>();
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 49; i++) {
                var request = new MockHttpServletRequest("PUT", "/api/v1/clusters/x/jobs") {
                    @Override
                    public ServletInputStream getInputStream() {
                        return neverEnding(release);
                    }
                };
                request.addHeader("Content-Length", BodyLimit.MAX_OF_A_LIST);
                request.setContent(new byte[] {0});
                waiting.add(clients.submit(() -> {
                    relay.doFilter(request, new MockHttpServletResponse(), chain);
                    return true;
                }));
            }
            await().until(() -> waiting.stream().filter(Future::isDone).count() >= 40);
            assertThat(calls.bytes()).isLessThanOrEqualTo(16 << 20);

            // a request for a reservation needs none of that room
            call(reserve());
            assertThat(response.getStatus()).isEqualTo(200);
            release.countDown();
        }
        assertThat(calls.bytes()).isZero();
    }

    /** Returns a body that breaks off before its last byte once {@code release} is open. */
    private static ServletInputStream neverEnding(CountDownLatch release) {
        return new DelegatingServletInputStream(new InputStream() {
            private int sent;

            @Override
            public int read() throws IOException {
                throw new IOException();
            }

            @Override
            public int read(byte[] bytes, int from, int most) throws IOException {
                int got = Math.min(most, BodyLimit.MAX_OF_A_LIST - 1 - sent);
                if (got == 0) {
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    return -1;
                }
                sent += got;
                return got;
            }
        });
    }

    @Test
    void aCallThatWasPassedOnIsNotPassedOnAgain() throws Exception {
        turns.add(there("/one", exchange -> answer(exchange, 200, "")));
        var request = reserve();
        request.addHeader(Relay.RELAYED, "1");

        call(request);

        assertThat(response.getStatus()).isEqualTo(421);
        assertThat(heard).isEmpty();
    }

    @Test
    void theNextInstanceDecidesACallThatWasNotSent() throws Exception {
        int closed;
        try (var free = new ServerSocket(0)) {
            closed = free.getLocalPort();
        }
        turns.add(new Turn.There(instance(closed, "")));
        turns.add(new Turn.Nobody());
        // the relay looks at the turn also while it waits for the answer
        turns.add(there("/no-more", exchange -> {
            answer(exchange, 421, "");
            synchronized (turns) {
                turns.add(new Turn.Nobody());
                turns.add(new Turn.Here());
            }
        }));
        turns.add(new Turn.Nobody());

        call(reserve());

        assertThat(decidedHere).containsExactly("terms");
        assertThat(heard).hasSize(1);
    }

    @Test
    void aCallWhoseAnswerWasCutOffHasAnUnknownOutcome() throws Exception {
        turns.add(there("/dying", HttpExchange::close));
        turns.add(there("/next", exchange -> answer(exchange, 201, "done")));

        call(reserve());

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getContentAsString()).contains("may or may not have been carried out");
        assertThat(response.getHeader("Retry-After")).isEqualTo("2");
        assertThat(heard).hasSize(1);
    }

    @Test
    void aCallWithAKeyIsRepeatedAtTheNextOne() throws Exception {
        turns.add(there("/dying", HttpExchange::close));
        turns.add(there("/next", exchange -> answer(exchange, 201, "done")));
        var request = reserve();
        request.addHeader("Idempotency-Key", "k");

        call(request);

        assertThat(response.getStatus()).isEqualTo(201);
        assertThat(heard).hasSize(2);
    }

    @Test
    void theRelayGivesUpAHangingInstanceOnceAnotherIsActive() throws Exception {
        turns.add(there("/hanging", _ -> {
            try {
                Thread.sleep(PATIENCE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        turns.add(new Turn.Nobody());
        turns.add(new Turn.Nobody());
        turns.add(there("/next", exchange -> answer(exchange, 200, "all")));
        var request = new MockHttpServletRequest("GET", "/api/v1/reservations");

        call(request);

        assertThat(response.getContentAsString()).isEqualTo("all");
    }

    @Test
    void withoutAnActiveInstanceTheClientLearnsWhenToTryAgain() throws Exception {
        turns.add(new Turn.Nobody());

        relay(SHORT).doFilter(reserve(), response, chain);

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getContentAsString()).contains("No instance is active");
        assertThat(response.getHeader("Retry-After")).isEqualTo("2");
    }

    @Test
    void aTooLargeBodyIsNotPassedOn() throws Exception {
        turns.add(there("/one", exchange -> answer(exchange, 201, "")));
        var request = reserve();
        request.setContent(new byte[BodyLimit.MAX + 1]);

        call(request);

        assertThat(response.getStatus()).isEqualTo(413);
        assertThat(heard).isEmpty();
    }

    @Test
    void everyInstanceReportsItsOwnHealth() throws Exception {
        turns.add(new Turn.Nobody());

        call(new MockHttpServletRequest("GET", "/actuator/health"));

        assertThat(decidedHere).hasSize(1);
    }
}
