package berth.process;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The service is killed under load, over and over on one data directory, at moments drawn from a seed. */
class KillIT {

    private static final long SEED = 20260914;
    private static final int ROUNDS = 3;
    private static final int PES = 512;
    private static final String CLUSTER = "killed";

    private final Instant from = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
    private final Load load = new Load(CLUSTER, from, SEED);

    @Test
    void whatWasAcknowledgedSurvivesTheServiceAndEachRequestSettlesOnOneResult(@TempDir Path directory)
            throws Exception {
        var random = new Random(SEED);
        try (var installation = Installation.in(directory)) {
            var service = installation.start();
            var api = installation.api();
            // nobody is moved, so that what was acknowledged must be found word for word
            var cluster = "{\"id\":\"%s\",\"pes\":%d,\"policy\":{\"juggling\":\"NEVER\"}}".formatted(CLUSTER, PES);
            assertThat(api.post("/clusters", cluster).status()).isEqualTo(201);
            for (int round = 1; round <= ROUNDS; round++) {
                var before = load.acknowledged().size();
                var clients = CompletableFuture.runAsync(() -> load.untilTheServiceIsGone(api));
                Thread.sleep(random.nextLong(300, 1500));
                boolean databaseToo = round % 2 == 0;
                if (databaseToo) {
                    installation.postgres().destroyForcibly();
                }
                service.killHard();
                clients.get(1, TimeUnit.MINUTES);
                var acknowledged = load.acknowledged();
                int unknown = load.unknown().size();
                assertThat(acknowledged).as("acknowledged before the kill").hasSizeGreaterThan(before);

                long begin = System.nanoTime();
                service = installation.start();
                var startup = Duration.ofNanos(System.nanoTime() - begin);
                nothingIsLostAndNothingMadeUp(api);
                int recorded = retryUnknown(api);
                nothingIsLostAndNothingMadeUp(api);
                historyHasNoGaps(api);
                System.out.printf(
                        "Round %d, %s killed: %d acknowledged so far (%d in this round), all found; of %d without an answer %d were"
                                + " recorded; started again in %d ms%n",
                        round,
                        databaseToo ? "service and PostgreSQL" : "service",
                        acknowledged.size(),
                        acknowledged.size() - before,
                        unknown,
                        recorded,
                        startup.toMillis());
            }
            retryAcknowledged(api);
            nothingIsLostAndNothingMadeUp(api);
            System.out.printf(
                    "%d acknowledged in %d rounds, all found and, sent again, answered as before%n",
                    load.acknowledged().size(), ROUNDS);
        }
    }

    private void nothingIsLostAndNothingMadeUp(Api api) throws IOException {
        var found = reservations(api);
        assertThat(load.sent)
                .as("what was asked for")
                .containsKeys(found.keySet().toArray(String[]::new));
        load.answered.forEach((name, answer) -> {
            if (answer.status() == 201) {
                assertThat(found.get(name)).as("the acknowledged %s", name).isEqualTo(answer.body());
            } else {
                assertThat(found).as("the refused %s", name).doesNotContainKey(name);
            }
        });
        var placements = found.values().stream()
                .map(reservation -> reservation.path("placement"))
                .toList();
        assertThat(Occupancy.peak(placements))
                .as("PEs taken at once")
                .isPositive()
                .isLessThanOrEqualTo(PES);
        var schedule = new ArrayList<JsonNode>();
        api.get("/clusters/%s/schedule".formatted(CLUSTER))
                .body()
                .path("placements")
                .forEach(schedule::add);
        assertThat(schedule).hasSameSizeAs(placements);
        assertThat(Occupancy.peak(schedule)).isEqualTo(Occupancy.peak(placements));
    }

    /** Fails where two reservations have one name. */
    private static Map<String, JsonNode> reservations(Api api) throws IOException {
        return api.all("/reservations").stream()
                .collect(toMap(reservation -> reservation.path("name").asString(), reservation -> reservation));
    }

    /** Answers how many of them had been recorded before. */
    private int retryUnknown(Api api) throws IOException {
        int recorded = 0;
        var found = reservations(api);
        for (var name : load.unknown()) {
            var answer = load.send(api, name);
            assertThat(answer.status()).as("%s, sent again: %s", name, answer).isIn(201, 409);
            if (found.containsKey(name)) {
                recorded++;
                assertThat(answer.body()).isEqualTo(found.get(name));
            }
            if (answer.status() == 201) {
                assertThat(load.send(api, name)).isEqualTo(answer);
            }
        }
        return recorded;
    }

    private void retryAcknowledged(Api api) throws IOException {
        for (var acknowledged : load.acknowledged().entrySet()) {
            assertThat(load.send(api, acknowledged.getKey())).isEqualTo(acknowledged.getValue());
        }
    }

    private static void historyHasNoGaps(Api api) throws IOException {
        List<Integer> sequences = api.all("/events").stream()
                .map(event -> event.path("sequence").asInt())
                .toList();
        assertThat(sequences)
                .isEqualTo(IntStream.rangeClosed(1, sequences.size()).boxed().toList());
        assertThat(sequences).hasSize(reservations(api).size());
    }
}
