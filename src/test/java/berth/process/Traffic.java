package berth.process;

import berth.process.Api.Answer;
import berth.proof.History;
import berth.proof.History.Act;
import berth.proof.History.Heard;
import berth.proof.History.Reserve;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.sla.AccountName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.JsonNode;

/**
 * Clients that make every kind of call, each with its own generator, and note requests and answers. A client's calls depend on the answers,
 * so a seed gives the same requests but not the same history.
 */
final class Traffic {

    private static final int CLIENTS = 8;

    /** Longer than a request waits that is answered when it is decided. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final Duration SETTLING = Duration.ofSeconds(60);

    /** The account of calls. */
    record Party(AccountName name, String token) {}

    private final History history;
    private final List<Party> parties;
    private final Party admin;
    private final List<ClusterId> clusters;
    private final Instant ahead = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
    private final AtomicInteger labels = new AtomicInteger();
    private final Map<Reserve, String> bodies = new ConcurrentHashMap<>();
    private final Queue<String> outages = new ConcurrentLinkedQueue<>();

    /** Answers that no client should get. */
    private final Queue<String> odd = new ConcurrentLinkedQueue<>();

    private final AtomicLong struck = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong served = new AtomicLong(Long.MAX_VALUE);
    private volatile List<String> urls;
    private volatile boolean isStopped;
    private ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

    Traffic(History history, String url, Party admin, List<Party> parties, List<ClusterId> clusters) {
        this.history = history;
        this.urls = List.of(url);
        this.admin = admin;
        this.parties = parties;
        this.clusters = clusters;
    }

    /** Sends all calls to these addresses from now on, each to one of them. */
    void go(String... where) {
        urls = List.of(where);
    }

    void start(long seed) {
        isStopped = false;
        clients = Executors.newVirtualThreadPerTaskExecutor();
        for (int number = 0; number < CLIENTS; number++) {
            var client = new Client(new Random(seed * CLIENTS + number), parties.get(number % parties.size()));
            clients.execute(client::untilStopped);
        }
    }

    /** Ends once all clients have their answers or have given up. */
    void stop() throws InterruptedException {
        isStopped = true;
        clients.shutdown();
        if (!clients.awaitTermination(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException("Clients are still waiting for answers.");
        }
    }

    /** Notes that a fault strikes now. */
    void struck() {
        served.set(Long.MAX_VALUE);
        struck.set(System.nanoTime());
    }

    /** Sends requests that wait until they are decided and have arrived at the service; returns their answers, if any. */
    List<Future<Optional<Answer>>> waiting(int number) throws Exception {
        var party = parties.getFirst();
        var deadline = ahead.plus(Duration.ofDays(30));
        var terms = Wire.terms(ahead, deadline, Duration.ofHours(1), 1);
        var waiting = new ArrayList<Future<Optional<Answer>>>();
        var sent = new HashSet<String>();
        for (int i = 0; i < number; i++) {
            var label = "%s-%d".formatted(party.name().value(), labels.getAndIncrement());
            var reserve = new Reserve(party.name(), Site.COLLECTING, label, Optional.of(label), Optional.of(terms));
            var body = """
                    {"cluster":"%s","name":"%s","terms":{"duration":"PT1H","pes":1,"readyTime":"%s","deadline":"%s"}}""".formatted(Site.COLLECTING.value(), label, ahead, deadline);
            bodies.put(reserve, body);
            sent.add(label);
            waiting.add(clients.submit(() -> {
                var answered = new AtomicReference<Optional<Answer>>(Optional.empty());
                history.add(reserve, heard(() -> {
                    var answer = api(party).postAndWait("/reservations", body, label, 10);
                    answered.set(Optional.of(answer));
                    return answer;
                }));
                return answered.get();
            }));
        }
        Waiting.until(
                SETTLING,
                () -> "Not all of %s have come.".formatted(sent),
                () -> api(party).all("/reservations").stream()
                        .map(one -> one.path("name").asString(""))
                        .toList()
                        .containsAll(sent));
        return waiting;
    }

    /** Returns how long after the fault a request made since then was granted; empty if none was yet. */
    Optional<Duration> servedAgainAfter() {
        long when = served.get();
        return when == Long.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofNanos(when - struck.get()));
    }

    List<String> odd() {
        return List.copyOf(odd);
    }

    /** Repeats all requests without a known result until they have one. */
    void settle() throws InterruptedException {
        long end = System.nanoTime() + SETTLING.toNanos();
        for (var inDoubt = history.inDoubt(); !inDoubt.isEmpty(); inDoubt = history.inDoubt()) {
            if (System.nanoTime() > end) {
                return;
            }
            try (var all =
                    Executors.newFixedThreadPool(CLIENTS, Thread.ofVirtual().factory())) {
                inDoubt.forEach(reserve -> all.execute(() -> send(reserve)));
            }
        }
    }

    /** Repeats all keyed requests with a promise, which must be promised again. */
    void repeat(int most) {
        history.exchanges().stream()
                .filter(exchange -> exchange.heard() instanceof History.Promised)
                .map(History.Exchange::ask)
                .filter(Reserve.class::isInstance)
                .map(Reserve.class::cast)
                .filter(reserve -> reserve.key().isPresent())
                .limit(most)
                .forEach(this::send);
    }

    private Heard send(Reserve reserve) {
        var party = parties.stream()
                .filter(one -> one.name().equals(reserve.owner()))
                .findAny()
                .orElseThrow();
        var body = Objects.requireNonNull(bodies.get(reserve));
        long sent = System.nanoTime();
        var heard = heard(() -> reserve.key().isPresent()
                ? api(party).post("/reservations", body, reserve.key().get())
                : api(party).post("/reservations", body));
        if (heard instanceof History.Promised && sent >= struck.get()) {
            served.accumulateAndGet(System.nanoTime(), Math::min);
        }
        history.add(reserve, heard);
        return heard;
    }

    private Api api(Party party) {
        var all = urls;
        return new Api(all.get(labels.get() % all.size()), party.token(), PATIENCE);
    }

    private interface Call {
        Answer answer() throws IOException;
    }

    private Heard heard(Call call) {
        Answer answer;
        try {
            answer = call.answer();
        } catch (IOException e) {
            return new History.Nothing();
        }
        var body = answer.body();
        return switch (answer.status()) {
            case 200, 201 -> promised(body.path("reservation").isObject() ? body.path("reservation") : body);
            case 202 -> new History.Collected(new ReservationId(UUID.fromString(answer.id())));
            case 403, 409, 412, 422 -> new History.Refused(body.path("code").asString());
            // overloaded at that moment; nothing is decided
            case 429, 503 -> new History.Nothing();
            default -> {
                odd.add(answer.toString());
                yield new History.Nothing();
            }
        };
    }

    /** A collected request that was withdrawn or rejected has no place. */
    private static Heard promised(JsonNode body) {
        return body.path("placement").isObject() ? new History.Promised(Wire.promise(body)) : new History.Done();
    }

    /** One client. */
    private final class Client {

        private final Random random;
        private final Party party;
        private final List<ReservationId> own = new ArrayList<>();

        Client(Random random, Party party) {
            this.random = random;
            this.party = party;
        }

        void untilStopped() {
            int inVain = 0;
            while (!isStopped) {
                try {
                    inVain = isAnswered() ? 0 : inVain + 1;
                    Thread.sleep(inVain == 0 ? random.nextInt(20) : Math.min(1000, 50L << Math.min(inVain, 5)));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                } catch (RuntimeException e) {
                    odd.add(e.toString());
                }
            }
        }

        private boolean isAnswered() {
            try {
                return next();
            } catch (IOException e) {
                return false;
            }
        }

        /** Returns whether there was an answer. */
        private boolean next() throws IOException {
            int draw = random.nextInt(100);
            if (own.isEmpty() || draw < 55) {
                return reserve();
            }
            if (draw < 62) {
                return probe();
            }
            if (draw < 64) {
                return operate();
            }
            if (draw < 66) {
                return job();
            }
            var id = own.get(random.nextInt(own.size()));
            return switch (random.nextInt(8)) {
                case 0, 1 -> act(id, Event.Type.CONFIRMED, "confirm");
                case 2 -> act(id, Event.Type.CLAIMED, "claim");
                case 3 -> act(id, Event.Type.COMPLETED, "complete");
                case 4 -> act(id, Event.Type.FIXED, "fix");
                case 5, 6 -> renegotiate(id);
                default -> act(id, Event.Type.CANCELLED, "cancel");
            };
        }

        private boolean reserve() {
            var label = "%s-%d".formatted(party.name().value(), labels.getAndIncrement());
            var cluster = clusters.get(random.nextInt(clusters.size()));
            int pes = random.nextInt(1, 17);
            boolean isSoon = random.nextInt(10) == 0;
            var duration = isSoon ? Duration.ofSeconds(random.nextInt(1, 20)) : minutes(10, 240);
            var ready = ahead.plusSeconds(60L * random.nextInt(20 * 24 * 60));
            var deadline = ready.plus(duration).plus(minutes(0, 120));
            var window = isSoon ? "" : ",\"readyTime\":\"%s\",\"deadline\":\"%s\"".formatted(ready, deadline);
            var hold = random.nextInt(6) == 0 ? ",\"hold\":\"PT%dS\"".formatted(random.nextInt(1, 120)) : "";
            var reserve = new Reserve(
                    party.name(),
                    cluster,
                    label,
                    random.nextInt(8) == 0 ? Optional.empty() : Optional.of(label),
                    isSoon ? Optional.empty() : Optional.of(Wire.terms(ready, deadline, duration, pes)));
            bodies.put(reserve, """
                    {"cluster":"%s","name":"%s","terms":{"duration":"%s","pes":%d%s}%s}""".formatted(cluster.value(), label, duration, pes, window, hold));
            var heard = send(reserve);
            if (reserve.key().isPresent() && random.nextInt(heard instanceof History.Nothing ? 2 : 20) == 0) {
                heard = send(reserve);
            }
            switch (heard) {
                case History.Promised(var promise) -> own.add(promise.id());
                case History.Collected(var id) -> own.add(id);
                default -> {}
            }
            return !(heard instanceof History.Nothing);
        }

        private Duration minutes(int least, int below) {
            return Duration.ofMinutes(random.nextInt(least, below));
        }

        private boolean probe() throws IOException {
            var body = "{\"terms\":{\"duration\":\"PT1H\",\"pes\":%d}}".formatted(random.nextInt(1, 17));
            return isExpected(api(party).post("/probes", body));
        }

        private boolean act(ReservationId id, Event.Type wish, String path) {
            return noted(
                    new Act(id, wish), () -> api(party).post("/reservations/%s/%s".formatted(id.value(), path), ""));
        }

        private boolean renegotiate(ReservationId id) {
            var deadline = ahead.plus(Duration.ofDays(21)).plus(minutes(0, 1000));
            return noted(
                    new Act(id, Event.Type.RENEGOTIATED),
                    () -> api(party)
                            .post(
                                    "/reservations/%s/renegotiations".formatted(id.value()),
                                    "{\"terms\":{\"deadline\":\"%s\"}}".formatted(deadline)));
        }

        private boolean noted(Act act, Call call) {
            var heard = heard(call);
            history.add(act, heard);
            return !(heard instanceof History.Nothing);
        }

        /** Does what operators do: outages and changed rules. */
        private boolean operate() throws IOException {
            var path =
                    "/clusters/" + clusters.get(random.nextInt(clusters.size())).value();
            var over = random.nextBoolean() ? outages.poll() : null;
            if (over != null) {
                int status = api(admin).delete(over);
                return status < 500;
            }
            if (random.nextBoolean()) {
                var begin = ahead.plus(minutes(0, 20 * 24 * 60));
                var answer = api(admin)
                        .post(
                                path + "/outages",
                                "{\"pes\":%d,\"from\":\"%s\",\"to\":\"%s\",\"reason\":\"a test\"}"
                                        .formatted(random.nextInt(1, 9), begin, begin.plus(minutes(1, 300))));
                if (answer.status() == 201) {
                    outages.add(path + "/outages/" + answer.id());
                }
                return isExpected(answer);
            }
            var juggling = List.of("NEVER", "LEAST_MOVES", "ON_CONFLICT").get(random.nextInt(3));
            return isExpected(api(admin)
                    .patch(
                            path,
                            "{\"pes\":%d,\"policy\":{\"juggling\":\"%s\",\"pullForward\":%b}}"
                                    .formatted(Site.PES - random.nextInt(4), juggling, random.nextBoolean())));
        }

        private boolean job() throws IOException {
            return isExpected(api(party)
                    .post(
                            "/clusters/%s/jobs".formatted(Site.QUEUED.value()),
                            "{\"name\":\"job\",\"pes\":%d,\"estimate\":\"PT%dS\"}"
                                    .formatted(random.nextInt(1, 9), random.nextInt(1, 30))));
        }

        private boolean isExpected(Answer answer) {
            boolean isUsual = answer.status() < 300
                    || List.of(403, 409, 412, 422, 429, 503).contains(answer.status());
            if (!isUsual) {
                odd.add(answer.toString());
            }
            return answer.isFinal();
        }
    }
}
