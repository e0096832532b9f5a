package berth.webhooks.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Scrape;
import berth.service.ServiceSuite;
import berth.webhooks.Receiver;
import berth.webhooks.Receiver.Message;
import com.standardwebhooks.Webhook;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class WebhooksIT extends ServiceSuite {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<Receiver> receivers = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private Api owner;

    @SuppressWarnings("NullAway.Init")
    private Instant began;

    @BeforeEach
    void openACluster() {
        deleteWebhooks();
        began = clock.instant();
        cluster = newCluster(64);
        owner = client();
    }

    @AfterEach
    void giveUp() {
        deleteWebhooks();
        receivers.forEach(Receiver::close);
    }

    private Receiver receiver() throws IOException {
        var receiver = new Receiver();
        receivers.add(receiver);
        return receiver;
    }

    private Api.Reply subscribe(Api api, Receiver receiver, String more) {
        var reply = api.post("/api/v1/webhooks", "{\"url\":\"%s\"%s}".formatted(receiver.url(), more));
        assertThat(reply.status()).as("%s", reply.body()).isEqualTo(201);
        return reply;
    }

    private String reserve(Api api, int hours) {
        var reply =
                reserve(api, cluster, "{\"readyTime\":\"%s\",\"duration\":\"PT1H\",\"pes\":1}".formatted(at(hours)));
        assertThat(reply.status()).as("%s", reply.body()).isEqualTo(201);
        return reply.text("id");
    }

    private static void until(String what, java.util.function.BooleanSupplier reached) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!reached.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static List<Message> await(Receiver receiver, int messages) {
        until("messages, of " + messages, () -> receiver.messages().size() >= messages);
        return receiver.messages();
    }

    /** The received events of the cluster of this test in the form of the feed; each once, in the order of first arrival. */
    private List<Long> told(Receiver receiver) {
        return receiver.messages().stream()
                .filter(message -> message.event().startsWith(cluster + " "))
                .map(Message::sequence)
                .distinct()
                .toList();
    }

    private List<Long> recorded(Api api) {
        var sequences = new ArrayList<Long>();
        for (var page = api.get("/api/v1/events?limit=500&from=" + began);
                !page.body().path("items").isEmpty();
                page = api.get("/api/v1/events?limit=500&after=" + page.text("next"))) {
            for (var event : page.body().path("items")) {
                if (event.path("cluster").asString().equals(cluster)) {
                    sequences.add(event.path("sequence").asLong());
                }
            }
        }
        return sequences;
    }

    private static void isSigned(Message message, String secret) throws Exception {
        assertThat(message.signature().split(" "))
                .contains(new Webhook(secret).sign(message.id(), message.timestamp(), message.text()));
    }

    // ---- events

    @Test
    void anOwnerReceivesSignedEventsOfItsReservationsInEachFormat() throws Exception {
        var full = receiver();
        var thin = receiver();
        var cloud = receiver();
        var secret = subscribe(owner, full, "").text("secret");
        subscribe(owner, thin, ",\"format\":\"THIN\",\"types\":[\"cancelled\"]");
        var cloudSecret = subscribe(owner, cloud, ",\"format\":\"CLOUDEVENTS\"").text("secret");

        var id = reserve(owner, 5);
        reserve(client(), 5);
        owner.post("/api/v1/reservations/" + id + "/cancel");

        var told = await(full, 2);
        assertThat(told).extracting(Message::type).containsExactly("confirmed", "cancelled");
        assertThat(told.getFirst().body().at("/data/data/terms/pes").asInt()).isEqualTo(1);
        assertThat(told.getFirst().id())
                .isEqualTo("evt_%s_%d".formatted(cluster, told.getFirst().sequence()));
        for (var message : told) {
            isSigned(message, secret);
        }
        var thinly = await(thin, 1).getFirst();
        assertThat(thinly.body().at("/data/data").isMissingNode()).isTrue();
        assertThat(thinly.type()).isEqualTo("cancelled");
        assertThat(thinly.reservation()).isEqualTo(id);
        var event = await(cloud, 2).getFirst();
        assertThat(event.contentType()).startsWith("application/cloudevents+json");
        assertThat(event.body().path("specversion").asString()).isEqualTo("1.0");
        assertThat(event.body().path("type").asString()).isEqualTo("berth.confirmed");
        assertThat(event.body().path("source").asString()).isEqualTo("/api/v1/clusters/" + cluster);
        assertThat(event.body().path("subject").asString()).isEqualTo(id);
        assertThat(event.body().path("id").asString()).isEqualTo(event.id());
        isSigned(event, cloudSecret);

        // later events, before which all others would have arrived
        reserve(client(), 6);
        var last = reserve(owner, 6);
        owner.post("/api/v1/reservations/" + last + "/cancel");
        assertThat(await(full, 4)).extracting(Message::reservation).containsExactly(id, id, last, last);
        assertThat(await(thin, 2)).extracting(Message::reservation).containsExactly(id, last);
    }

    @Test
    void eachWebhookReceivesAnnouncementsAtItsLeads() throws Exception {
        var hour = receiver();
        var minutes = receiver();
        subscribe(owner, hour, ",\"leads\":[\"PT1H\"],\"types\":[\"starting\",\"ending\",\"started\",\"completed\"]");
        subscribe(owner, minutes, ",\"leads\":[\"PT10M\",\"PT20M\"],\"types\":[\"starting\",\"ending\"]");
        var id = reserve(owner, 2);
        reserve(client(), 2);

        pass(Duration.ofMinutes(59));
        assertThat(hour.messages()).isEmpty();
        pass(Duration.ofMinutes(1));
        var first = await(hour, 1).getFirst();
        assertThat(first.type()).isEqualTo("starting");
        assertThat(first.body().at("/data/data/leads").toString()).isEqualTo("[\"PT1H\"]");
        assertThat(first.reservation()).isEqualTo(id);

        pass(Duration.ofHours(3));
        assertThat(await(hour, 4))
                .extracting(Message::type)
                .containsExactly("starting", "started", "ending", "completed");
        assertThat(await(minutes, 4))
                .extracting(Message::type)
                .containsExactly("starting", "starting", "ending", "ending");
        assertThat(minutes.messages())
                .extracting(message -> message.body().at("/data/data/leads").toString())
                .containsExactly("[\"PT20M\"]", "[\"PT10M\"]", "[\"PT20M\"]", "[\"PT10M\"]");
        assertThat(hour.messages()).hasSize(4);
    }

    @Test
    void anAdministratorReceivesAllEvents() throws Exception {
        var receiver = receiver();
        subscribe(admin, receiver, "");
        reserve(owner, 1);
        reserve(client(), 1);
        admin.patch("/api/v1/clusters/" + cluster, "{\"pes\":65}");

        until(
                "all that was recorded",
                () -> told(receiver).equals(recorded(admin)) && told(receiver).size() >= 3);
        assertThat(receiver.messages()).extracting(Message::type).contains("confirmed", "cluster-changed");
    }

    // ---- receivers that do not behave

    @Test
    void everyEventArrivesInOrderDespiteFaultyReceivers() throws Exception {
        Map<String, Receiver.Conduct> conducts = new HashMap<>();
        conducts.put("fails now and then", (number, _) -> number % 3 == 0 ? 500 : 200);
        conducts.put("hangs up now and then", (number, _) -> number % 4 == 0 ? 0 : 204);
        conducts.put("wants to be left alone", (number, exchange) -> {
            exchange.getResponseHeaders().add("Retry-After", "30");
            return number % 5 == 0 ? 429 : 204;
        });
        conducts.put("sends elsewhere", (number, exchange) -> {
            exchange.getResponseHeaders().add("Location", "/other");
            return number % 5 == 0 ? 307 : 204;
        });
        conducts.put("is slow", (_, _) -> {
            Thread.sleep(30);
            return 204;
        });
        var told = new HashMap<String, Receiver>();
        for (var conduct : conducts.entrySet()) {
            told.put(conduct.getKey(), receiver().behaving(conduct.getValue()));
            subscribe(owner, told.get(conduct.getKey()), "");
        }
        var dead = receiver().behaving((_, _) -> 503);
        subscribe(owner, dead, "");
        var prompt = receiver();
        subscribe(owner, prompt, "");
        for (int i = 0; i < 30; i++) {
            var id = reserve(owner, 1 + i % 20);
            if (i % 2 == 0) {
                owner.post("/api/v1/reservations/" + id + "/cancel");
            }
            reserve(client(), 30);
        }

        var own = recorded(owner);
        assertThat(own).hasSizeGreaterThanOrEqualTo(45);
        until("whoever behaves hears at once", () -> told(prompt).equals(own));
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!told.values().stream().allMatch(receiver -> told(receiver).equals(own))) {
            assertThat(System.nanoTime()).isLessThan(end);
            clock.advance(Duration.ofSeconds(20));
            Thread.sleep(100);
        }
        told.forEach((conduct, receiver) -> {
            assertThat(told(receiver)).as(conduct).isEqualTo(own);
            assertThat(receiver.messages())
                    .as(conduct)
                    .allMatch(message -> message.event().startsWith(cluster));
            // Berth repeats an event only if it may not have arrived
            assertThat(receiver.messages().size()).as(conduct).isLessThan(own.size() * 2);
        });
        assertThat(told(dead)).hasSize(1);
    }

    /** Takes as long as a sender waits for an answer. */
    @Test
    @Tag("full")
    void aReceiverThatDoesNotAnswerAtFirstGetsEveryEvent() throws Exception {
        var late = receiver().behaving((number, _) -> {
            if (number == 1) {
                Thread.sleep(30_000);
            }
            return 204;
        });
        subscribe(owner, late, "");
        reserve(owner, 1);
        reserve(owner, 2);

        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!told(late).equals(recorded(owner))) {
            assertThat(System.nanoTime()).isLessThan(end);
            clock.advance(Duration.ofSeconds(20));
            Thread.sleep(100);
        }
        assertThat(recorded(owner)).hasSize(2);
    }

    @Test
    void aWebhookThatIsGoneIsDisabledAndReceivesMissedEventsLater(CapturedOutput output) throws Exception {
        var before = Scrape.of(admin);
        var receiver = receiver().behaving((number, _) -> number == 2 ? 410 : 204);
        var id = subscribe(owner, receiver, "").text("id");
        var enabled = receiver();
        subscribe(owner, enabled, "");
        var path = "/api/v1/webhooks/" + id;
        reserve(owner, 1);
        await(receiver, 1);
        reserve(owner, 2);
        until("disabled", () -> owner.get(path).text("disabledFor").equals("GONE"));
        reserve(owner, 3);
        isShownAsDisabled(path, id, "GONE", "its receiver answered with status 410", before, output);
        await(enabled, 3);
        assertThat(receiver.messages()).hasSize(2);

        assertThat(owner.patch(path, "{\"enabled\":true}").status()).isEqualTo(200);

        await(receiver, 4);
        assertThat(told(receiver)).isEqualTo(recorded(owner));
        var after = owner.get(path).body();
        assertThat(after.path("disabledFor").isNull()).isTrue();
        assertThat(after.path("disabledAt").isNull()).isTrue();
    }

    /** To its owner, in metrics, and in the log. */
    private void isShownAsDisabled(
            String path, String id, String why, String told, Scrape before, CapturedOutput output) throws Exception {
        var webhook = owner.get(path).body();
        assertThat(webhook.path("enabled").asBoolean()).isFalse();
        assertThat(webhook.path("disabledFor").asString()).isEqualTo(why);
        assertThat(webhook.path("disabledAt").asString())
                .isEqualTo(clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        var label = Map.of("why", why.toLowerCase(Locale.ROOT));
        for (var metric : List.of("berth_webhooks_disabled_webhooks", "berth_webhooks_disablings_total")) {
            until(metric, () -> value(metric, label) == before.value(metric, label) + 1);
        }
        until("logged", () -> output.getOut().contains("Webhook %s of ".formatted(id)));
        assertThat(output.getOut().lines().filter(line -> line.contains("Webhook %s of ".formatted(id))))
                .singleElement()
                .asString()
                .contains("WARN", "is disabled: %s.".formatted(told));
    }

    private double value(String metric, Map<String, String> label) {
        try {
            return Scrape.of(admin).value(metric, label);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The response of the old address does not count for the new one. */
    @Test
    void aWebhookWhoseUrlChangesDuringACallIsNotDisabled() throws Exception {
        var asked = new CountDownLatch(1);
        var changed = new CountDownLatch(1);
        var former = receiver().behaving((_, _) -> {
            asked.countDown();
            changed.await();
            return 410;
        });
        var path = "/api/v1/webhooks/" + subscribe(owner, former, "").text("id");
        reserve(owner, 1);
        asked.await();
        var present = receiver();

        assertThat(owner.patch(path, "{\"url\":\"%s\"}".formatted(present.url()))
                        .status())
                .isEqualTo(200);
        changed.countDown();

        await(present, 1);
        reserve(owner, 2);
        await(present, 2);
        assertThat(told(present)).isEqualTo(recorded(owner));
        assertThat(owner.get(path).body().path("enabled").asBoolean()).isTrue();
    }

    @Test
    void aWebhookThatFailsForThreeDaysIsDisabled(CapturedOutput output) throws Exception {
        var before = Scrape.of(admin);
        var answers = new Semaphore(0);
        var receiver = receiver().behaving((_, _) -> {
            answers.acquire();
            return 500;
        });
        var id = subscribe(owner, receiver, "").text("id");
        var path = "/api/v1/webhooks/" + id;
        reserve(owner, 200);
        await(receiver, 1);
        for (int attempt = 1; attempt <= 10; attempt++) {
            int made = attempt;
            answers.release();
            until(
                    "noted",
                    () -> owner.get(path + "/attempts").body().path("items").size() >= made);
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (attempt < 10 && receiver.messages().size() == attempt) {
                assertThat(System.nanoTime()).as("attempt after %d", attempt).isLessThan(end);
                // the pause begins when Berth has noted the failure, a moment after the attempt
                clock.advance(Duration.ofHours(3));
                Thread.sleep(100);
            }
        }
        until("disabled", () -> owner.get(path).text("disabledFor").equals("FAILED"));
        isShownAsDisabled(
                path, id, "FAILED", "all attempts to deliver a message failed for three days", before, output);
        assertThat(receiver.messages()).hasSize(10);
        assertThat(owner.get(path + "/attempts").body().at("/items/0/answered").asInt())
                .isEqualTo(500);
    }

    // ---- changes to webhooks

    @Test
    void bothSecretsAreValidDuringAReplacement() throws Exception {
        var receiver = receiver();
        var made = subscribe(owner, receiver, "");
        var path = "/api/v1/webhooks/" + made.text("id");
        var other = owner.post(path + "/secret");
        assertThat(other.status()).isEqualTo(200);

        assertThat(owner.post(path + "/test").body().path("delivered").asBoolean())
                .isTrue();
        var both = await(receiver, 1).getFirst();
        assertThat(both.type()).isEqualTo("test");
        isSigned(both, made.text("secret"));
        isSigned(both, other.text("secret"));

        clock.advance(Duration.ofHours(25));
        owner.post(path + "/test");
        var alone = await(receiver, 2).getLast();
        isSigned(alone, other.text("secret"));
        assertThat(alone.signature().split(" ")).hasSize(1);
        assertThat(owner.get(path).body().has("secret")).isFalse();
    }

    @Test
    void aRedeliveryRepeatsEventsUnderTheSameIds() throws Exception {
        var receiver = receiver();
        var path = "/api/v1/webhooks/" + subscribe(owner, receiver, "").text("id");
        IntStream.range(1, 6).forEach(hour -> reserve(owner, hour));
        var first = await(receiver, 5);
        var cursor = owner.get("/api/v1/events?limit=2").text("next");

        assertThat(owner.post(path + "/redeliver?after=" + cursor).status()).isEqualTo(202);

        var all = await(receiver, 8);
        assertThat(all.subList(5, 8))
                .extracting(Message::id)
                .isEqualTo(first.subList(2, 5).stream().map(Message::id).toList());
    }

    @Test
    void aWebhookReceivesOneRedeliveryAtATime() throws Exception {
        var isHeld = new AtomicBoolean();
        var released = new CountDownLatch(1);
        var receiver = receiver().behaving((_, _) -> {
            if (isHeld.get()) {
                awaitQuietly(released);
            }
            return 204;
        });
        var made = subscribe(owner, receiver, "");
        var path = "/api/v1/webhooks/" + made.text("id");
        reserve(owner, 1);
        reserve(owner, 2);
        await(receiver, 2);
        isHeld.set(true);

        assertThat(owner.post(path + "/redeliver").status()).isEqualTo(202);
        var refused = owner.post(path + "/redeliver");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text("detail")).contains("earlier redelivery");
        isHeld.set(false);
        released.countDown();
        await(receiver, 4);
        until(
                "the end of the first redelivery",
                () -> owner.post(path + "/redeliver").status() == 202);
        assertThat(await(receiver, 6)).hasSize(6);
    }

    @Test
    void aReceiverThatIsDownDoesNotMakeRoomForAnotherRedelivery() throws Exception {
        var isDown = new AtomicBoolean();
        var receiver = receiver().behaving((_, _) -> isDown.get() ? 500 : 204);
        var path = "/api/v1/webhooks/" + subscribe(owner, receiver, "").text("id");
        reserve(owner, 1);
        await(receiver, 1);
        isDown.set(true);

        assertThat(owner.post(path + "/redeliver").status()).isEqualTo(202);
        await(receiver, 2);
        assertThat(owner.post(path + "/redeliver").status()).isEqualTo(429);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aChangeOfAWebhookAppliesToLaterEvents() throws Exception {
        var receiver = receiver();
        var made = subscribe(owner, receiver, ",\"types\":[\"confirmed\"]");
        var path = "/api/v1/webhooks/" + made.text("id");
        var id = reserve(owner, 1);
        await(receiver, 1);

        assertThat(owner.patch(path, "{\"types\":[\"cancelled\"]}", "If-Match", "\"7\"")
                        .status())
                .isEqualTo(412);
        var changed = owner.patch(path, "{\"types\":[\"cancelled\"],\"leads\":[\"P1D\"]}", "If-Match", made.etag());
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.text("types.0")).isEqualTo("cancelled");
        assertThat(changed.text("leads.0")).isEqualTo("P1D");
        reserve(owner, 2);
        owner.post("/api/v1/reservations/" + id + "/cancel");
        assertThat(await(receiver, 2)).extracting(Message::type).containsExactly("confirmed", "cancelled");

        assertThat(owner.delete(path).status()).isEqualTo(204);
        assertThat(owner.get(path).status()).isEqualTo(404);
        var other = receiver();
        subscribe(owner, other, ",\"types\":[\"cancelled\"]");
        owner.post("/api/v1/reservations/" + reserve(owner, 3) + "/cancel");
        await(other, 1);
        assertThat(receiver.messages()).hasSize(2);
    }

    // ---- rejections

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://10.0.0.1/",
                "http://example.org:x/",
                "https://user@example.org/",
                "https://[fe80::1]/",
                "ftp://example.org/",
                "nothing at all",
                ""
            })
    void anImpossibleUrlOfAReceiverIsRejected(String url) {
        var refused = owner.post("/api/v1/webhooks", "{\"url\":\"%s\"}".formatted(url));

        assertThat(refused.status()).isIn(400, 422);
        assertThat(refused.text("errors.0.field")).isEqualTo("url");
    }

    @Test
    void fieldsThatAreWrongAreNamed() {
        Stream.of(
                        List.of("types[0]", "\"types\":[\"exploded\"]"),
                        List.of("types[1]", "\"types\":[\"confirmed\",null]"),
                        List.of("leads[0]", "\"leads\":[\"PT59S\"]"),
                        List.of("leads[0]", "\"leads\":[\"P31D\"]"),
                        List.of("leads[0]", "\"leads\":[null]"),
                        List.of("leads", "\"leads\":[%s]".formatted("\"PT1H\",".repeat(8) + "\"PT2H\"")),
                        List.of("format", "\"format\":\"FAT\""))
                .forEach(wrong -> {
                    var refused = owner.post(
                            "/api/v1/webhooks", "{\"url\":\"https://example.org/\",%s}".formatted(wrong.getLast()));
                    assertThat(refused.status()).as("%s", wrong).isIn(400, 422);
                    assertThat(refused.text("errors.0.field")).as("%s", wrong).isEqualTo(wrong.getFirst());
                });
    }

    @Test
    void anAccountHasALimitedNumberOfWebhooksAndLeads() {
        var all = new ArrayList<String>();
        for (int i = 0; i < 20; i++) {
            var reply = owner.post(
                    "/api/v1/webhooks",
                    "{\"url\":\"https://example.org/%d\"%s}"
                            .formatted(
                                    i,
                                    i < 2
                                            ? ",\"leads\":[\"PT%dM\",\"PT%dM\",\"PT%dM\",\"PT%dM\"]"
                                                    .formatted(i + 1, i + 11, i + 21, i + 31)
                                            : ""));
            assertThat(reply.status()).isEqualTo(201);
            all.add(reply.text("id"));
        }
        assertThat(owner.post("/api/v1/webhooks", "{\"url\":\"https://example.org/\"}")
                        .text("code"))
                .isEqualTo("limit-exceeded");
        assertThat(owner.patch("/api/v1/webhooks/" + all.getLast(), "{\"leads\":[\"PT5H\"]}")
                        .text("errors.0.field"))
                .isEqualTo("leads");
        assertThat(owner.patch("/api/v1/webhooks/" + all.getLast(), "{\"leads\":[\"PT1M\"]}")
                        .status())
                .isEqualTo(200);
        assertThat(owner.get("/api/v1/webhooks?limit=15").body().path("items")).hasSize(15);
        var next = owner.get("/api/v1/webhooks?limit=15").text("next");
        assertThat(owner.get("/api/v1/webhooks?after=" + next).body().path("items"))
                .hasSize(5);
    }

    @Test
    void onlyAdministratorsSeeWebhooksOfOthers() throws Exception {
        var id = subscribe(owner, receiver(), "").text("id");
        var path = "/api/v1/webhooks/" + id;
        var other = client();

        for (var status : List.of(
                other.get(path).status(),
                other.patch(path, "{}").status(),
                other.post(path + "/secret").status(),
                other.post(path + "/test").status(),
                other.post(path + "/redeliver").status(),
                other.get(path + "/attempts").status(),
                other.delete(path).status())) {
            assertThat(status).isEqualTo(404);
        }
        assertThat(other.get("/api/v1/webhooks").body().path("items")).isEmpty();
        assertThat(admin.get(path).status()).isEqualTo(200);
    }
}
