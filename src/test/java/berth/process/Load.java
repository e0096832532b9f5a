package berth.process;

import berth.process.Api.Answer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that reserve as fast as they are answered, and keep what they sent and what they were told. A request is the
 * same in every run of one seed; its name is its idempotency key too.
 */
final class Load {

    private static final int CLIENTS = 8;

    private final String cluster;
    private final Instant from;
    private final long seed;
    private final AtomicInteger next = new AtomicInteger();

    /** The body of every request that was sent or about to be, by name. */
    final Map<String, String> sent = new ConcurrentSkipListMap<>();

    /** The final answer to a request, by name; none where its outcome is unknown. */
    final Map<String, Answer> answered = new ConcurrentSkipListMap<>();

    /** @param from when the earliest slot may begin */
    Load(String cluster, Instant from, long seed) {
        this.cluster = cluster;
        this.from = from;
        this.seed = seed;
    }

    /** Sends until the service is gone: each client stops at its first request without an answer. */
    void untilTheServiceIsGone(Api api) {
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int client = 0; client < CLIENTS; client++) {
                clients.execute(() -> reserveUntilGone(api));
            }
        }
    }

    private void reserveUntilGone(Api api) {
        try {
            while (true) {
                int number = next.getAndIncrement();
                var name = "request-%06d".formatted(number);
                sent.put(name, body(name, new Random(seed + number)));
                send(api, name);
            }
        } catch (IOException e) {
            // the service is gone
        }
    }

    /** Sends a request, or sends it again. */
    Answer send(Api api, String name) throws IOException {
        var answer = api.post("/reservations", Objects.requireNonNull(sent.get(name)), name);
        if (answer.isFinal()) {
            answered.put(name, answer);
        }
        return answer;
    }

    /** What was acknowledged, by name. */
    Map<String, Answer> acknowledged() {
        var acknowledged = new TreeMap<>(answered);
        acknowledged.values().removeIf(answer -> answer.status() != 201);
        return acknowledged;
    }

    /** The names of the requests whose outcome nobody was told. */
    List<String> unknown() {
        return sent.keySet().stream()
                .filter(name -> !answered.containsKey(name))
                .toList();
    }

    private String body(String name, Random random) {
        var ready = from.plusSeconds(60L * random.nextInt(20 * 24 * 60));
        var duration = Duration.ofMinutes(random.nextInt(10, 240));
        var slack = Duration.ofMinutes(random.nextInt(0, 120));
        return """
                {"terms":{"readyTime":"%s","deadline":"%s","duration":"%s","pes":%d},"cluster":"%s","name":"%s"}""".formatted(ready, ready.plus(duration).plus(slack), duration, random.nextInt(1, 129), cluster, name);
    }
}
