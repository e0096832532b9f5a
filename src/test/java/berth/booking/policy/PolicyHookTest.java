package berth.booking.policy;

import static org.assertj.core.api.Assertions.assertThat;

import berth.booking.policy.PolicyHook.Kind;
import berth.booking.policy.PolicyHook.OnFailure;
import berth.booking.policy.PolicyHook.Verdict;
import berth.cluster.Cluster;
import berth.engine.AdmissionControl;
import berth.engine.Desks;
import berth.engine.MemoryLedger;
import berth.engine.NoBudgets;
import berth.engine.SettableClock;
import berth.reservation.ClusterId;
import berth.runtime.Threads;
import berth.sla.AccountName;
import berth.sla.Customer;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A program of the site decides, or gives no answer. */
class PolicyHookTest {

    private static final Verdict ALLOWED = new Verdict.Allowed();
    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    private static final ClusterId DEMO = new ClusterId("demo");
    private static final Customer ADA = new Customer(new AccountName("ada"), ServiceClass.STANDARD);

    private final JsonMapper mapper = new JsonMapper();
    private final List<JsonNode> asked = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger mostUnderWay = new AtomicInteger();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MemoryLedger ledger = new MemoryLedger(Cluster.of("demo", 8));
    private final SettableClock clock = new SettableClock(NOON);
    private final Desks desks = new Desks(
            ledger,
            ledger,
            NoBudgets.none(),
            Threads.OF_THE_JVM,
            clock,
            Duration.ofSeconds(5),
            new SimpleMeterRegistry());
    private volatile int status = 200;
    private volatile String answer = "{\"allow\":true}";
    private volatile Duration pause = Duration.ZERO;

    /** Whether an answer ends after its head and three bytes. */
    private volatile boolean stalls;

    @SuppressWarnings("NullAway.Init")
    private HttpServer site;

    @BeforeEach
    void open() throws IOException {
        desks.recover(Cluster.of("demo", 8));
        site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.createContext("/check", exchange -> {
            mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            asked.add(mapper.readTree(exchange.getRequestBody().readAllBytes()));
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            underWay.decrementAndGet();
            var bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            if (stalls) {
                exchange.getResponseBody().write(bytes, 0, 3);
                exchange.getResponseBody().flush();
                return;
            }
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        site.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        site.start();
    }

    @AfterEach
    void close() {
        site.stop(0);
        desks.close();
    }

    private PolicyHook hook(OnFailure onFailure) {
        var url = "http://127.0.0.1:%d/check".formatted(site.getAddress().getPort());
        return new PolicyHook(url, onFailure, desks, new AdmissionControl(desks), mapper, registry);
    }

    private static Verdict ask(PolicyHook hook, Optional<ClusterId> cluster) {
        long ready = NOON.getEpochSecond() + 3600;
        return hook.ask(
                Kind.RESERVE,
                ADA,
                new AccountName("bob"),
                Optional.of("climate"),
                cluster,
                RequestedTerms.of(OptionalLong.of(ready), OptionalLong.of(ready + 3600), 3600, 4));
    }

    private double counted(String outcome) {
        return registry.get("berth.policy.asked")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void theHookReceivesTheAccountTheTermsAndThePrice() {
        assertThat(ask(hook(OnFailure.CLOSED), Optional.of(DEMO))).isEqualTo(ALLOWED);

        assertThat(asked).singleElement().satisfies(question -> {
            assertThat(question.path("kind").asString()).isEqualTo("RESERVE");
            assertThat(question.path("account").asString()).isEqualTo("ada");
            assertThat(question.path("by").asString()).isEqualTo("bob");
            assertThat(question.path("project").asString()).isEqualTo("climate");
            assertThat(question.path("cluster").asString()).isEqualTo("demo");
            assertThat(question.at("/terms/pes").asInt()).isEqualTo(4);
            assertThat(question.at("/price/amount").asString()).isEqualTo("4.00");
        });
        assertThat(counted("allowed")).isEqualTo(1);
    }

    @Test
    void theHookReceivesNoPriceIfNoClusterIsNamed() {
        assertThat(ask(hook(OnFailure.CLOSED), Optional.empty())).isEqualTo(ALLOWED);

        assertThat(asked).singleElement().satisfies(question -> {
            assertThat(question.path("cluster").isNull()).isTrue();
            assertThat(question.path("price").isNull()).isTrue();
        });
    }

    @Test
    void aDeniedRequestIsRejectedWithTheReasonOfTheHook() {
        answer = "{\"allow\":false,\"reason\":\"Sign the\\nusage policy first.\"}";

        assertThat(ask(hook(OnFailure.OPEN), Optional.of(DEMO)))
                .isEqualTo(new Verdict.Denied("Sign the usage policy first."));
        assertThat(counted("denied")).isEqualTo(1);
    }

    @Test
    void aLongReasonEndsWithAWholeCharacter() {
        answer = "{\"allow\":\"ask\",\"reason\":\"%s\"}".formatted("x".repeat(499) + "\uD83D\uDE80\uD83D\uDE80");

        assertThat(ask(hook(OnFailure.OPEN), Optional.of(DEMO)))
                .isEqualTo(new Verdict.Asks("x".repeat(499) + "\uD83D\uDE80"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yes", "{}", "{\"allow\":\"true\"}", "[true]"})
    void aMalformedAnswerFailsClosedOrOpen(String given) {
        answer = given;

        assertThat(ask(hook(OnFailure.CLOSED), Optional.of(DEMO))).isInstanceOf(Verdict.Unanswered.class);
        assertThat(ask(hook(OnFailure.OPEN), Optional.of(DEMO))).isEqualTo(ALLOWED);
        assertThat(counted("failed")).isEqualTo(2);
    }

    @Test
    void anErrorOrATimeoutCountsAsNoAnswer() {
        status = 500;
        assertThat(ask(hook(OnFailure.CLOSED), Optional.of(DEMO))).isInstanceOf(Verdict.Unanswered.class);
        status = 200;
        pause = Duration.ofSeconds(4);
        assertThat(ask(hook(OnFailure.CLOSED), Optional.of(DEMO))).isInstanceOf(Verdict.Unanswered.class);
        assertThat(counted("failed")).isEqualTo(2);
    }

    @Test
    @Timeout(20)
    void anAnswerThatStallsAfterItsHeadIsNoAnswer() {
        stalls = true;

        assertThat(ask(hook(OnFailure.CLOSED), Optional.of(DEMO))).isInstanceOf(Verdict.Unanswered.class);
        assertThat(counted("failed")).isEqualTo(1);
    }

    @Test
    void anAnswerWithoutAnEndIsNoAnswer() {
        answer = "{\"allow\":true,\"reason\":\"" + "x".repeat(10_000_000) + "\"}";

        assertThat(ask(hook(OnFailure.CLOSED), Optional.of(DEMO))).isInstanceOf(Verdict.Unanswered.class);
        assertThat(counted("failed")).isEqualTo(1);
    }

    /** However many requests wait for a program that answers slowly or not at all, it holds few calls, and for a short time. */
    @Test
    @Timeout(30)
    void theHookGetsALimitedNumberOfConcurrentCalls() throws InterruptedException {
        pause = Duration.ofMillis(200);
        int requests = 2 * PolicyHook.MAX_UNDER_WAY;
        var hook = hook(OnFailure.CLOSED);
        var answered = new AtomicInteger();
        var clients = IntStream.range(0, requests)
                .mapToObj(_ -> Thread.ofVirtual().start(() -> {
                    if (ask(hook, Optional.empty()).equals(ALLOWED)) {
                        answered.incrementAndGet();
                    }
                }))
                .toList();
        for (var client : clients) {
            client.join();
        }

        assertThat(answered).hasValue(requests);
        assertThat(mostUnderWay).hasValueBetween(2, PolicyHook.MAX_UNDER_WAY);
    }

    @Test
    @Timeout(30)
    void aRequestIsRejectedIfTheHookIsTooBusyToBeAskedInTime() throws InterruptedException {
        pause = Duration.ofSeconds(20);
        var hook = hook(OnFailure.OPEN);
        var refused = new AtomicInteger();
        var clients = IntStream.range(0, 4 * PolicyHook.MAX_UNDER_WAY)
                .mapToObj(_ -> Thread.ofVirtual().start(() -> {
                    if (ask(hook, Optional.empty()) instanceof Verdict.Busy) {
                        refused.incrementAndGet();
                    }
                }))
                .toList();
        for (var client : clients) {
            assertThat(client.join(Duration.ofSeconds(10))).isTrue();
        }

        assertThat(refused).hasValueGreaterThanOrEqualTo(2 * PolicyHook.MAX_UNDER_WAY);
    }

    @Test
    void withoutAUrlNoHookIsAsked() {
        var nobody = new PolicyHook(" ", OnFailure.CLOSED, desks, new AdmissionControl(desks), mapper, registry);

        assertThat(ask(nobody, Optional.of(DEMO))).isEqualTo(ALLOWED);
        assertThat(asked).isEmpty();
    }
}
