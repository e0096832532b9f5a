package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import berth.process.Api.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two services of which one reserves at the other, and one is killed between hold and confirmation. Both are started once; each test has
 * its own clusters and, except for the last, leaves both running.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("full")
class TwoServicesIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static Installation here;

    @SuppressWarnings("NullAway.Init")
    private static Installation there;

    @SuppressWarnings("NullAway.Init")
    private static CuttingProxy between;

    private static final AtomicReference<JavaProcess> serviceHere = new AtomicReference<>();
    private static final AtomicReference<JavaProcess> serviceThere = new AtomicReference<>();

    private final Instant from = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);

    /** The cluster here, the one there, and the name of that one here. */
    private final String near = "near-" + UUID.randomUUID();

    private final String rack = "rack-" + UUID.randomUUID();
    private final String far = "far-" + UUID.randomUUID();

    @BeforeAll
    static void start() throws Exception {
        here = Installation.in(Files.createDirectory(directory.resolve("here")));
        there = Installation.in(Files.createDirectory(directory.resolve("there")));
        between = new CuttingProxy(there.url());
        var starting = CompletableFuture.supplyAsync(() -> started(there));
        serviceHere.set(here.start());
        serviceThere.set(starting.get());
    }

    @AfterAll
    static void end() throws Exception {
        between.close();
        here.close();
        there.close();
    }

    @BeforeEach
    void makeClusters() throws IOException {
        assertThat(here.api()
                        .post("/clusters", "{\"id\":\"%s\",\"pes\":8}".formatted(near))
                        .status())
                .isEqualTo(201);
        assertThat(there.api()
                        .post("/clusters", "{\"id\":\"%s\",\"pes\":8}".formatted(rack))
                        .status())
                .isEqualTo(201);
        var peer = """
                {"id":"%s","peer":{"url":"%s","token":"%s","cluster":"%s"}}""".formatted(
                        far, between.url(), Files.readString(there.tokenFile()).strip(), rack);
        assertThat(here.api().post("/clusters", peer).status()).isEqualTo(201);
    }

    private static JavaProcess started(Installation installation) {
        try {
            return installation.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes holds so short that tests can wait for their ends. */
    private static void holdBriefly() throws Exception {
        serviceHere.get().killHard();
        here.with("BERTH_HOLDS_ELSEWHERE", "PT5S")
                .with("BERTH_HOLDS_DOUBT", "PT3S")
                .with("BERTH_HOLDS_HERE", "PT12S");
        serviceHere.set(here.start());
    }

    private String terms() {
        return """
                {"duration":"PT1H","pes":8,"readyTime":"%s","deadline":"%s"}""".formatted(from, from.plus(1, ChronoUnit.HOURS));
    }

    private Answer reserve(Installation installation, String cluster) throws IOException {
        return installation
                .api()
                .post("/reservations", "{\"cluster\":\"%s\",\"terms\":%s}".formatted(cluster, terms()));
    }

    private Answer coallocate() throws IOException {
        return here.api().post("/coallocations", """
                {"parts":[{"cluster":"%s","terms":%s},{"cluster":"%s","terms":%s}]}""".formatted(near, terms(), far, terms()));
    }

    /** Makes a call whose server is killed before it responds. */
    private void askInVain(Supplier<JavaProcess> killed, Asking asking) {
        try {
            var answer = asking.ask();
            throw new AssertionError("Answered " + answer);
        } catch (IOException e) {
            killed.get().awaitExit(Duration.ofSeconds(10));
        }
    }

    private interface Asking {
        Answer ask() throws IOException;
    }

    /** Returns the states of this test's reservations. */
    private List<String> states(Installation installation) throws IOException {
        return installation.api().all("/reservations").stream()
                .filter(reservation -> List.of(near, rack, far)
                        .contains(reservation.path("cluster").asString()))
                .map(reservation -> reservation.path("state").asString())
                .toList();
    }

    private String state(String coallocation) throws IOException {
        return here.api()
                .get("/coallocations/" + coallocation)
                .body()
                .path("state")
                .asString();
    }

    private void await(Waiting.Condition condition) throws Exception {
        Waiting.until(
                PATIENCE,
                () -> {
                    try {
                        return "Here %s, there %s. %s"
                                .formatted(
                                        states(here),
                                        states(there),
                                        serviceHere.get().output());
                    } catch (IOException e) {
                        return e.toString();
                    }
                },
                condition);
    }

    @Test
    @Order(1)
    void aHoldAtAnotherBerthSurvivesTheDeathOfThatBerth() throws Exception {
        var granted = here.api().post("/reservations", """
                {"cluster":"%s","terms":{"duration":"PT1H","pes":8,"readyTime":"%s"}}""".formatted(far, from.plus(1, ChronoUnit.HOURS)));
        assertThat(granted.status()).isEqualTo(201);
        assertThat(states(there)).containsExactly("CONFIRMED");

        between.before("/confirm", () -> serviceThere.get().killHard());
        var unfinished = coallocate();
        assertThat(unfinished.body().path("state").asString()).isEqualTo("CONFIRMING");
        serviceThere.set(there.start());

        await(() -> state(unfinished.id()).equals("CONFIRMED"));
        assertThat(states(there)).containsExactly("CONFIRMED", "CONFIRMED");
        assertThat(states(here)).containsExactly("CONFIRMED", "CONFIRMED", "CONFIRMED");
    }

    @Test
    @Order(2)
    void aBerthKilledDuringAConfirmationCompletesItAfterTheRestart() throws Exception {
        between.before("/confirm", () -> serviceHere.get().killHard());
        askInVain(serviceHere::get, this::coallocate);
        assertThat(states(there)).containsExactly("HELD");

        serviceHere.set(here.start());

        await(() -> states(here).equals(List.of("CONFIRMED", "CONFIRMED")));
        assertThat(states(there)).containsExactly("CONFIRMED");
    }

    @Test
    @Order(3)
    void berthReleasesAllPartsIfTheOtherComesBackTooLate() throws Exception {
        holdBriefly();
        between.before("/confirm", () -> serviceThere.get().killHard());
        var unfinished = coallocate();
        assertThat(unfinished.body().path("state").asString()).isEqualTo("CONFIRMING");

        await(() -> state(unfinished.id()).equals("ABANDONED"));
        assertThat(states(here)).doesNotContain("CONFIRMED");
        serviceThere.set(there.start());

        assertThat(states(there)).containsExactly("EXPIRED");
        await(() -> states(here).stream().noneMatch("HELD"::equals));
        assertThat(states(here)).doesNotContain("CONFIRMED");
        assertThat(reserve(here, near).status()).isEqualTo(201);

        between.after("/reservations", () -> serviceHere.get().killHard());
        askInVain(serviceHere::get, () -> reserve(here, far));
        assertThat(states(there)).containsExactly("HELD", "EXPIRED");
        await(() -> states(there).equals(List.of("EXPIRED", "EXPIRED")));
        assertThat(reserve(there, rack).status()).isEqualTo(201);
    }
}
