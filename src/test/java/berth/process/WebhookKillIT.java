package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import berth.webhook.Receiver;
import berth.webhook.Receiver.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Berth is killed at moments drawn at random while something happens all the time, and all of it is told in the end. */
class WebhookKillIT {

    private static final int KILLS = Integer.getInteger("berth.webhook.kills", 3);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    @Test
    void whatHappensIsToldInOrderHoweverOftenBerthIsKilled() throws Exception {
        var random = new Random(11);
        try (var receiver = new Receiver();
                var installation = Installation.in(directory).with("BERTH_WEBHOOKS_ALLOW", "127.0.0.0/8")) {
            // slow enough that something is always left to tell
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
            var traffic = Thread.ofVirtual().start(() -> book(api, isOver));
            for (int kill = 0; kill < KILLS; kill++) {
                Thread.sleep(random.nextLong(300, 2500));
                installation.last().killHard();
                installation.start();
            }
            Thread.sleep(500);
            isOver.set(true);
            traffic.join();

            var recorded = api.all("/events").stream()
                    .map(event -> event.path("sequence").asLong())
                    .toList();
            assertThat(recorded).hasSizeGreaterThan(50);
            Waiting.until(
                    PATIENCE,
                    () -> "told %d of %d".formatted(told(receiver).size(), recorded.size()),
                    () -> told(receiver).equals(recorded));
            assertThat(receiver.messages()).extracting(Message::type).contains("starting");
        }
    }

    /** The numbers of the events in the order in which they were told first. */
    private static List<Long> told(Receiver receiver) {
        return receiver.messages().stream().map(Message::sequence).distinct().toList();
    }

    private static void book(Api api, AtomicBoolean isOver) {
        while (!isOver.get()) {
            try {
                var start = Instant.now().plusSeconds(600);
                var booked = api.post(
                        "/reservations",
                        "{\"cluster\":\"demo\",\"terms\":{\"readyTime\":\"%s\",\"duration\":\"PT1H\",\"pes\":1}}"
                                .formatted(start));
                if (booked.status() == 201) {
                    api.post("/reservations/%s/cancel".formatted(booked.id()), "");
                } else {
                    Thread.sleep(50);
                }
            } catch (IOException e) {
                // it is not there at present
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
