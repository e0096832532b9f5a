package berth.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.Service;
import berth.engine.Desks;
import berth.engine.SettableClock;
import berth.scheduling.commands.AdvanceClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.config.TaskExecutionOutcome;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.JsonNode;

/** The whole service in this process, with a clock that stands still; started once for all tests that extend this. */
@SpringBootTest(classes = Service.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@Import(ServiceSuite.Clock.class)
@Execution(ExecutionMode.SAME_THREAD)
public abstract class ServiceSuite {

    static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    public static final String ADMIN_TOKEN = "administrator-for-tests";
    public static final String URL = "https://berth.example.org";

    /** A cluster whose outages anybody may read, once a test has made it. */
    public static final String OPEN_OUTAGES = "open-outages";

    private static volatile Instant began = NOON;
    private static final AtomicInteger names = new AtomicInteger();

    /** The mail server of the service. */
    public static final MailServer MAIL = new MailServer();

    @TempDir(cleanup = CleanupMode.NEVER)
    @SuppressWarnings("NullAway.Init")
    public static Path directory;

    @TestConfiguration(proxyBeanMethods = false)
    static class Clock {
        @Bean
        @Primary
        SettableClock settableClock() {
            return new SettableClock(NOON);
        }
    }

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
        registry.add("berth.data-dir", () -> directory.toString());
        registry.add("berth.admin-token", () -> ADMIN_TOKEN);
        registry.add("berth.url", () -> URL);
        registry.add("berth.outages.public", () -> "nobodys," + OPEN_OUTAGES);
        registry.add("berth.webhooks.allow", () -> "127.0.0.0/8");
        registry.add("spring.mail.host", () -> MAIL.host());
        registry.add("spring.mail.port", () -> MAIL.port());
    }

    @LocalServerPort
    public int port;

    @Autowired
    @SuppressWarnings("NullAway.Init")
    public SettableClock clock;

    @Autowired
    @SuppressWarnings("NullAway.Init")
    public Desks desks;

    @Autowired
    @SuppressWarnings("NullAway.Init")
    private ScheduledTaskHolder tasks;

    @SuppressWarnings("NullAway.Init")
    public Api admin;

    @BeforeEach
    void connect() {
        admin = new Api(port, Optional.of(ADMIN_TOKEN));
    }

    public Api client() {
        return account("CLIENT");
    }

    public Api viewer() {
        return account("VIEWER");
    }

    private Api account(String role) {
        return new Api(port, Optional.of(tokenOf(newName(), role)));
    }

    /** The token of a new account. */
    public String tokenOf(String name, String role) {
        return admin.post("/api/v1/accounts", """
                {"name":"%s","role":"%s"}""".formatted(name, role)).text("token");
    }

    /** The token of a new agent of a cluster. */
    public String tokenOfAgent(String name, String cluster) {
        return admin.post("/api/v1/accounts", """
                {"name":"%s","role":"AGENT","cluster":"%s"}""".formatted(name, cluster)).text("token");
    }

    public static Api.Reply reserve(Api api, String cluster, String terms) {
        return api.post("/api/v1/reservations", """
                {"terms":%s,"cluster":"%s"}""".formatted(terms, cluster));
    }

    /** A cluster of its own for a test, where much may be held and run for long. */
    public String newCluster(int pes) {
        return newCluster(pes, "OPEN");
    }

    /** A cluster whose jobs an outside batch system reports. */
    public String newOutsideCluster(int pes) {
        return newCluster(pes, "OUTSIDE");
    }

    private String newCluster(int pes, String jobs) {
        var id = newName();
        admin.post("/api/v1/clusters", """
                {"id":"%s","pes":%d,"policy":{"jobs":"%s","minAvailability":0,"limits":{"maxHold":"P90D","maxJobDuration":"P90D"}}}""".formatted(id, pes, jobs));
        return id;
    }

    public static String newName() {
        // in the order in which they are given out, by their letters too
        return "n%04d".formatted(names.incrementAndGet());
    }

    /** The moment that lies {@code hours} after the beginning of the test: others have let time pass. */
    public static String at(int hours) {
        return began.plus(Duration.ofHours(hours)).toString();
    }

    @BeforeEach
    void begin() {
        began = clock.instant();
    }

    /** Deletes the webhooks of all accounts: time that passes would have them fail, and starts announced, in other tests. */
    public void deleteWebhooks() {
        int rounds = 0;
        for (var all = webhooks(); !all.isEmpty(); all = webhooks()) {
            assertThat(rounds++).as("%s", all).isLessThan(100);
            // one to which Berth delivers at this moment is deleted in the next round
            all.forEach(webhook ->
                    admin.delete("/api/v1/webhooks/" + webhook.path("id").asString()));
        }
    }

    private JsonNode webhooks() {
        return admin.get("/api/v1/webhooks?limit=500").body().path("items");
    }

    /** Lets time pass, and waits until everything that is due by then has happened on all clusters. */
    public void pass(Duration time) {
        clock.advance(time);
        long now = clock.instant().getEpochSecond();
        // most clusters are those of tests that have ended, and nothing is due there
        for (var cluster : desks.clusters()) {
            var schedule = desks.schedule(cluster.id()).orElseThrow();
            if (schedule.nextDue().filter(due -> due.at() <= now).isPresent()
                    || !schedule.requests().isEmpty()) {
                desks.decide(cluster.id(), new AdvanceClock(1));
            }
        }
    }

    /** Books the occurrences and records the windows of maintenance that the horizon has reached, as Berth does every ten seconds. */
    public void advanceSeries() {
        var task = tasks.getScheduledTasks().stream()
                .filter(each -> each.toString().contains("SeriesClock"))
                .findFirst()
                .orElseThrow()
                .getTask();
        // the task does nothing while it is already running, and that run may have begun before time passed
        await().until(() -> task.getLastExecutionOutcome().status() != TaskExecutionOutcome.Status.STARTED);
        task.getRunnable().run();
    }
}
