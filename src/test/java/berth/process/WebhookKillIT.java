package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import berth.webhooks.Receiver;
import berth.webhooks.Receiver.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Berth is killed while events happen all the time, and in the end all of them have been sent. */
@Tag("full")
class WebhookKillIT {

    private static final int KILLS = Integer.getInteger("berth.webhook.kills", 3);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * How long before a crash positions are certainly recorded, which happens once a second, so that earlier messages are not sent again.
     */
    private static final Duration FORGOTTEN = Duration.ofSeconds(3);

    private static final List<String> CLUSTERS = List.of("demo", "other");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    /** At random moments. */
    @Test
    void webhooksReceiveEventsInOrderHoweverOftenBerthIsKilled() throws Exception {
        var random = new Random(11);
        try (var receiver = new Receiver();
                var installation = Installation.in(directory).with("BERTH_WEBHOOKS_ALLOW", "127.0.0.0/8")) {
            // slow enough that something is always left to send
            receiver.behaving((_, _) -> {
                Thread.sleep(5);
                return 204;
            });
            installation.start();
            var api = installation.api();
            assertThat(api.post("/webhooks", "{\"url\":\"%s\",\"leads\":[\"PT1H\"]}".formatted(receiver.url()))
                            .status())
                    .isEqualTo(201);

            var isOver = new AtomicBoolean();
            var traffic = Thread.ofVirtual().start(() -> book(api, "demo", isOver));
            for (int kill = 0; kill < KILLS; kill++) {
                Thread.sleep(random.nextLong(300, 2500));
                installation.last().killHard();
                installation.start();
            }
            Waiting.until(
                    PATIENCE, () -> "Books too little.", () -> recorded(api).size() > 50);
            isOver.set(true);
            traffic.join();

            // Berth may announce a start only now
            Waiting.until(
                    PATIENCE,
                    () -> "Told %s".formatted(told(receiver)),
                    () -> told(receiver).equals(recorded(api)));
            assertThat(receiver.messages()).extracting(Message::type).contains("starting");
        }
    }

    private static List<Long> recorded(Api api) throws IOException {
        return api.all("/events").stream()
                .map(event -> event.path("sequence").asLong())
                .toList();
    }

    /** An event and the period in which the receiver handled it, by {@link System#nanoTime}. */
    private record Told(String cluster, long sequence, long from, long to) {}

    @Test
    void onlyOneInstanceAtATimeSendsToWebhooks() throws Exception {
        var told = new CopyOnWriteArrayList<Told>();
        try (var receiver = new Receiver();
                var database = SharedDatabase.in(directory);
                var decides = instance(database, "decides");
                var standsBy = instance(database, "stands-by")) {
            receiver.behaving((number, _) -> {
                long from = System.nanoTime();
                Thread.sleep(5);
                var event = receiver.messages().get(number - 1).body().path("data");
                told.add(new Told(
                        event.path("cluster").asString(), event.path("sequence").asLong(), from, System.nanoTime()));
                return 204;
            });
            decides.start();
            standsBy.start();
            var api = new Api(standsBy.url(), SharedDatabase.TOKEN);
            assertThat(api.post("/clusters", "{\"id\":\"other\",\"pes\":64}").status())
                    .isEqualTo(201);
            var before = api.all("/events");
            assertThat(api.post("/webhooks", "{\"url\":\"%s\"}".formatted(receiver.url()))
                            .status())
                    .isEqualTo(201);

            var isOver = new AtomicBoolean();
            var traffic = CLUSTERS.stream()
                    .map(cluster -> Thread.ofVirtual().start(() -> book(api, cluster, isOver)))
                    .toList();
            // long enough that positions recorded meanwhile matter
            Thread.sleep(FORGOTTEN.multipliedBy(2));
            long killed = System.nanoTime();
            decides.last().killHard();
            Waiting.until(
                    PATIENCE,
                    () -> "Nobody goes on after " + told,
                    () -> told.stream()
                                    .filter(each -> each.from() > killed + FORGOTTEN.toNanos())
                                    .map(Told::cluster)
                                    .collect(Collectors.toSet())
                                    .size()
                            == CLUSTERS.size());
            Thread.sleep(500);
            isOver.set(true);
            for (var each : traffic) {
                each.join();
            }

            var events = api.all("/events").stream()
                    .filter(event -> !before.contains(event))
                    .toList();
            for (var cluster : CLUSTERS) {
                var recorded = events.stream()
                        .filter(event -> event.path("cluster").asString().equals(cluster))
                        .map(event -> event.path("sequence").asLong())
                        .toList();
                Waiting.until(
                        PATIENCE,
                        () -> "Told %s of %s".formatted(of(told, cluster), recorded),
                        () -> of(told, cluster).stream()
                                .map(Told::sequence)
                                .distinct()
                                .toList()
                                .equals(recorded));
                isToldByOneAfterTheOther(of(told, cluster), killed);
            }
        }
    }

    private Installation instance(SharedDatabase database, String name) throws IOException {
        return database.instance(Program.quick(), Files.createDirectory(directory.resolve(name)))
                .with("BERTH_WEBHOOKS_ALLOW", "127.0.0.0/8");
    }

    private static List<Told> of(List<Told> told, String cluster) {
        return told.stream()
                .filter(each -> each.cluster().equals(cluster))
                .sorted(Comparator.comparingLong(Told::from))
                .toList();
    }

    /** Checks that each instance sends in order, the second from the first one's recorded position, and never both at a time. */
    private static void isToldByOneAfterTheOther(List<Told> told, long killed) {
        var first = new HashMap<Long, Told>();
        int stepsBack = 0;
        for (int i = 0; i < told.size(); i++) {
            var each = told.get(i);
            if (i > 0) {
                assertThat(each.from())
                        .as("%s while %s", each, told.get(i - 1))
                        .isGreaterThan(told.get(i - 1).to());
                stepsBack += each.sequence() <= told.get(i - 1).sequence() ? 1 : 0;
            }
            var known = first.putIfAbsent(each.sequence(), each);
            if (known != null) {
                assertThat(each.from()).as("%s is told by the second", each).isGreaterThan(killed);
                assertThat(Duration.ofNanos(killed - known.to()))
                        .as("how long before the kill %s had arrived", known)
                        .isLessThan(FORGOTTEN);
            }
        }
        assertThat(stepsBack).as("how often anybody went back").isLessThanOrEqualTo(1);
        assertThat(told.getFirst().to())
                .as("when the first event arrived, which is not told again")
                .isLessThan(killed - FORGOTTEN.toNanos());
    }

    /** Returns the numbers of the events in the order in which they were first sent. */
    private static List<Long> told(Receiver receiver) {
        return receiver.messages().stream().map(Message::sequence).distinct().toList();
    }

    private static void book(Api api, String cluster, AtomicBoolean isOver) {
        try {
            while (!isOver.get()) {
                if (!isBookedAndCancelled(api, cluster)) {
                    Thread.sleep(50);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isBookedAndCancelled(Api api, String cluster) {
        try {
            var start = Instant.now().plusSeconds(600);
            var booked = api.post(
                    "/reservations",
                    "{\"cluster\":\"%s\",\"terms\":{\"readyTime\":\"%s\",\"duration\":\"PT1H\",\"pes\":1}}"
                            .formatted(cluster, start));
            return booked.status() == 201
                    && api.post("/reservations/%s/cancel".formatted(booked.id()), "")
                                    .status()
                            == 200;
        } catch (IOException e) {
            // it is not available at present
            return false;
        }
    }
}
