package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** All three instances are killed while series are booked, and the active one while it decides later occurrences. */
@Tag("full")
class SeriesKillIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The days of each series, of which this many, or one more, are within the horizon at the time of the request. */
    private static final int DAYS = 24;

    private static final int AT_ONCE = 20;

    private static final int FIRST_DAY = 10;
    private static final int HORIZON = 30;

    /** At each of this many hours there is room for this many series. */
    private static final int HOURS = 6;

    private static final int PES = 8;

    /** More series than there is room for. */
    private static final int ASKED = 72;

    private static final int CLIENTS = 3;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    private final List<Installation> instances = new ArrayList<>();
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);

    /** The answers by key. */
    private final Map<Integer, Api.Answer> answers = new ConcurrentHashMap<>();

    private final AtomicInteger lost = new AtomicInteger();

    @Test
    void noKilledInstanceLeavesASeriesIncompleteOrBookedTwice() throws Exception {
        try (var database = SharedDatabase.in(directory);
                var first = instance(database, "first");
                var second = instance(database, "second");
                var third = instance(database, "third")) {
            instances.addAll(List.of(first, second, third));
            first.start();
            second.launch();
            third.start();
            assertThat(api(first).post("/clusters", """
                            {"id":"nightly","pes":%d,"policy":{"horizon":"P%dD"}}""".formatted(PES, HORIZON)).status())
                    .isEqualTo(201);
            killWhileTheyAreBooked();
            killWhileLaterOnesAreDecided();
        }
    }

    private static Installation instance(SharedDatabase database, String name) throws IOException {
        return database.instance(Program.quick(), Files.createDirectory(directory.resolve(name)));
    }

    private static Api api(Installation instance) {
        return new Api(instance.url(), SharedDatabase.TOKEN);
    }

    private void killWhileTheyAreBooked() throws Exception {
        var next = new AtomicInteger();
        var clients = new ArrayList<Thread>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(Thread.ofVirtual().start(() -> ask(next)));
        }
        Waiting.until(PATIENCE, () -> "Nobody books: " + answers, () -> answers.size() > ASKED / 4);
        instances.forEach(instance -> instance.last().killHard());
        assertThat(answers).as("what was answered before the kill").hasSizeLessThan(ASKED);
        for (var instance : instances) {
            instance.launch();
        }
        for (var client : clients) {
            client.join();
        }

        assertThat(lost).as("answers that were lost").hasPositiveValue();
        for (var refused : answers.values()) {
            assertThat(refused.status() == 201
                            || refused.body().path("code").asString().equals("no-slot"))
                    .as("whether there is room or not: %s", refused)
                    .isTrue();
        }
        for (var series : granted()) {
            var states = occurrences(series, "state");
            assertThat(states).hasSize(DAYS);
            assertThat(states.subList(0, AT_ONCE)).as("%s", series).containsOnly("BOOKED");
            assertThat(states.subList(AT_ONCE + 1, DAYS)).as("%s", series).containsOnly("AHEAD");
        }
        requireOnce();
    }

    /** Requests series one after another, each with its key until it is answered. */
    private void ask(AtomicInteger next) {
        try {
            for (int number = next.getAndIncrement(); number < ASKED; number = next.getAndIncrement()) {
                while (!isAnswered(number)) {
                    lost.incrementAndGet();
                    Thread.sleep(50);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isAnswered(int number) {
        var body = """
                {"cluster":"nightly","terms":{"duration":"PT1H","pes":1},
                 "recurrence":{"rrule":"FREQ=DAILY;COUNT=%d","dtstart":"%sT%02d:00","zone":"UTC"}}""".formatted(DAYS, today.plusDays(FIRST_DAY), number % HOURS);
        try {
            var answer = api(instances.get(number % instances.size())).post("/series", body, "series-" + number);
            if (answer.isFinal()) {
                answers.put(number, answer);
            }
            return answer.isFinal();
        } catch (IOException e) {
            return false;
        }
    }

    /** Kills instances while the horizon reaches the later days of all series at once. */
    private void killWhileLaterOnesAreDecided() throws Exception {
        var decides = decides();
        var api = api(instances.stream()
                .filter(one -> !one.equals(decides))
                .findFirst()
                .orElseThrow());
        var first = granted().getFirst();
        var before = booked(api, first);
        assertThat(api.patch("/clusters/nightly", "{\"policy\":{\"horizon\":\"P%dD\"}}".formatted(2 * HORIZON))
                        .status())
                .isEqualTo(200);
        Waiting.until(
                PATIENCE,
                () -> "Nothing more is decided.",
                () -> !booked(api, first).equals(before));
        decides.last().killHard();

        Waiting.until(
                PATIENCE, () -> "Nobody decides.", () -> api.get("/series").status() == 200);
        int inBetween = requireOnce();
        assertThat(inBetween).as("what was decided before the kill").isLessThan(HOURS * PES * DAYS);
        Waiting.until(
                PATIENCE,
                () -> "Some are not decided.",
                () -> api.all("/series").stream()
                        .allMatch(series -> series.path("state").asString().equals("DECIDED")));
        for (var series : granted()) {
            assertThat(occurrences(series, "state"))
                    .as("%s", series)
                    .hasSize(DAYS)
                    .containsOnly("BOOKED");
        }
        assertThat(requireOnce()).isEqualTo(HOURS * PES * DAYS);
    }

    private Installation decides() throws IOException {
        var items = api(instances.getFirst()).get("/instances").body().path("items");
        for (var each : items) {
            if (each.path("state").asString().equals("ACTIVE")) {
                return instances.stream()
                        .filter(one -> one.url().equals(each.path("url").asString()))
                        .findFirst()
                        .orElseThrow();
            }
        }
        throw new AssertionError("Nobody decides: " + items);
    }

    private Api anyApi() throws InterruptedException {
        for (var instance : instances) {
            if (instance.last().isAlive() && Api.isHealthy(instance.url())) {
                return api(instance);
            }
        }
        throw new AssertionError("Nobody is there.");
    }

    private static Optional<String> booked(Api api, JsonNode series) throws IOException {
        return Optional.ofNullable(api.get("/series/" + series.path("id").asString())
                .body()
                .path("bookedUntil")
                .asString(null));
    }

    /** Returns the existing series: as many as there is room for, each of which was granted. */
    private List<JsonNode> granted() throws Exception {
        var api = anyApi();
        var all = api.all("/series");
        assertThat(all.stream().map(series -> series.path("id").asString()))
                .hasSize(HOURS * PES)
                .containsExactlyInAnyOrderElementsOf(answers.values().stream()
                        .filter(answer -> answer.status() == 201)
                        .map(Api.Answer::id)
                        .toList());
        var whole = new ArrayList<JsonNode>();
        for (var series : all.reversed()) {
            whole.add(api.get("/series/" + series.path("id").asString()).body());
        }
        return whole;
    }

    private static List<String> occurrences(JsonNode series, String field) {
        return series.path("occurrences")
                .valueStream()
                .map(one -> one.path(field).asString())
                .toList();
    }

    /** Returns the number of reservations, each of which is another occurrence. */
    private int requireOnce() throws Exception {
        var reservations = anyApi().all("/reservations");
        var times = reservations.stream()
                .collect(Collectors.groupingBy(
                        one -> one.path("series").asString() + " "
                                + one.path("occurrence").asString(),
                        Collectors.counting()));
        assertThat(times.values()).as("how often each occurrence is booked").containsOnly(1L);
        return reservations.size();
    }
}
