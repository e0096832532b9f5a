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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two services, each with its cluster: one reserves at the other, and one of them is killed between hold and confirmation. */
class TwoServicesIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Instant from = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);

    @SuppressWarnings("NullAway.Init")
    private Installation here;

    @SuppressWarnings("NullAway.Init")
    private Installation there;

    @SuppressWarnings("NullAway.Init")
    private CuttingProxy between;

    private final AtomicReference<JavaProcess> serviceHere = new AtomicReference<>();
    private final AtomicReference<JavaProcess> serviceThere = new AtomicReference<>();

    @BeforeEach
    void install(@TempDir Path directory) throws Exception {
        here = Installation.in(Files.createDirectory(directory.resolve("here")));
        there = Installation.in(Files.createDirectory(directory.resolve("there")));
        between = new CuttingProxy(there.url());
    }

    @AfterEach
    void end() throws Exception {
        between.close();
        here.close();
        there.close();
    }

    private void start() throws Exception {
        var starting = CompletableFuture.supplyAsync(() -> started(there));
        serviceHere.set(here.start());
        serviceThere.set(starting.get());
        assertThat(here.api().post("/clusters", "{\"id\":\"near\",\"pes\":8}").status())
                .isEqualTo(201);
        assertThat(there.api().post("/clusters", "{\"id\":\"rack\",\"pes\":8}").status())
                .isEqualTo(201);
        var peer =
                """
                {"id":"far","peer":{"url":"%s","token":"%s","cluster":"rack"}}""".formatted(between.url(), Files.readString(there.tokenFile()).strip());
        assertThat(here.api().post("/clusters", peer).status()).isEqualTo(201);
    }

    private static JavaProcess started(Installation installation) {
        try {
            return installation.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Slots are held so briefly that their ends can be waited for. */
    private void holdBriefly() {
        here.with("BERTH_HOLDS_ELSEWHERE", "PT5S")
                .with("BERTH_HOLDS_DOUBT", "PT3S")
                .with("BERTH_HOLDS_HERE", "PT12S");
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
                {"parts":[{"cluster":"near","terms":%s},{"cluster":"far","terms":%s}]}""".formatted(terms(), terms()));
    }

    /** Nobody is left to answer it. */
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

    private static List<String> states(Installation installation) throws IOException {
        return installation.api().all("/reservations").stream()
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
    void oneReservesAtTheOtherAndAHoldSurvivesTheDeathOfTheOther() throws Exception {
        start();
        var granted = here.api().post("/reservations", """
                {"cluster":"far","terms":{"duration":"PT1H","pes":8,"readyTime":"%s"}}""".formatted(from.plus(1, ChronoUnit.HOURS)));
        assertThat(granted.status()).isEqualTo(201);
        assertThat(states(there)).containsExactly("CONFIRMED");

        between.before("/confirm", () -> serviceThere.get().killHard());
        var unsettled = coallocate();
        assertThat(unsettled.body().path("state").asString()).isEqualTo("CONFIRMING");
        serviceThere.set(there.start());

        await(() -> state(unsettled.id()).equals("CONFIRMED"));
        assertThat(states(there)).containsExactly("CONFIRMED", "CONFIRMED");
        assertThat(states(here)).containsExactly("CONFIRMED", "CONFIRMED", "CONFIRMED");
    }

    @Test
    void oneThatIsKilledWhileItConfirmsGoesOnWhereItWas() throws Exception {
        start();
        between.before("/confirm", () -> serviceHere.get().killHard());
        askInVain(serviceHere::get, this::coallocate);
        assertThat(states(there)).containsExactly("HELD");

        serviceHere.set(here.start());

        await(() -> states(here).equals(List.of("CONFIRMED", "CONFIRMED")));
        assertThat(states(there)).containsExactly("CONFIRMED");
    }

    @Test
    void noHalfStaysWhereTheOtherComesBackTooLateAndNoHoldThatNobodyKnowsOf() throws Exception {
        holdBriefly();
        start();
        between.before("/confirm", () -> serviceThere.get().killHard());
        var unsettled = coallocate();
        assertThat(unsettled.body().path("state").asString()).isEqualTo("CONFIRMING");

        await(() -> state(unsettled.id()).equals("ABANDONED"));
        assertThat(states(here)).doesNotContain("CONFIRMED");
        serviceThere.set(there.start());

        assertThat(states(there)).containsExactly("EXPIRED");
        await(() -> states(here).stream().noneMatch("HELD"::equals));
        assertThat(states(here)).doesNotContain("CONFIRMED");
        assertThat(reserve(here, "near").status()).isEqualTo(201);

        between.after("/reservations", () -> serviceHere.get().killHard());
        askInVain(serviceHere::get, () -> reserve(here, "far"));
        assertThat(states(there)).containsExactly("HELD", "EXPIRED");
        await(() -> states(there).equals(List.of("EXPIRED", "EXPIRED")));
        assertThat(reserve(there, "rack").status()).isEqualTo(201);
    }
}
