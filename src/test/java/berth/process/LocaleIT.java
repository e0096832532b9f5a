package berth.process;

import static org.assertj.core.api.Assertions.assertThat;

import berth.webhooks.Receiver;
import berth.webhooks.Receiver.Message;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The language, the digits and the time zone of the machine change nothing that another program reads. */
class LocaleIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void aServiceWorksUnderArabicDigitsAndGoesOnUnderTurkishLetters() throws Exception {
        try (var receiver = new Receiver();
                var installation = Installation.in(directory).with("BERTH_WEBHOOKS_ALLOW", "127.0.0.0/8")) {
            speaking(installation, "ar", "EG", "Asia/Kathmandu").start();
            var secret = installation
                    .api()
                    .post("/webhooks", "{\"url\":\"%s\"}".formatted(receiver.url()))
                    .body()
                    .path("secret")
                    .asString();
            var first = reservation(installation, receiver, secret);

            installation.last().killHard();
            speaking(installation, "tr", "TR", "Pacific/Kiritimati").start();
            assertThat(installation.api().get("/reservations/" + first).status())
                    .isEqualTo(200);
            reservation(installation, receiver, secret);
        }
    }

    private static Installation speaking(Installation installation, String language, String country, String zone) {
        return installation.with(
                "JAVA_TOOL_OPTIONS",
                "-Duser.language=%s -Duser.country=%s -Duser.timezone=%s".formatted(language, country, zone));
    }

    /** Makes a reservation, reads and changes it by its tag, and checks what was sent about it; returns its id. */
    private String reservation(Installation installation, Receiver receiver, String secret) throws Exception {
        int before = receiver.messages().size();
        var booked = send(
                installation,
                "POST",
                "/reservations",
                "{\"terms\":{\"duration\":\"PT1H\",\"pes\":12,\"readyTime\":\"%s\"},\"cluster\":\"demo\"}"
                        .formatted(Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS)),
                "Prefer",
                "return=representation");
        assertThat(booked.statusCode()).as(booked.body()).isEqualTo(201);
        var tag = booked.headers().firstValue("ETag").orElseThrow();
        assertThat(tag).matches("\"[\\x21-\\x7e]+\"");
        var path = URI.create(booked.headers().firstValue("Location").orElseThrow())
                .getPath()
                .replaceFirst("^/api/v1", "");
        assertThat(booked.body()).contains("\"pes\":12").matches("(?s)\\p{ASCII}+");
        assertThat(send(installation, "GET", path, "", "If-None-Match", tag).statusCode())
                .isEqualTo(304);
        assertThat(send(installation, "POST", path + "/cancel", "", "If-Match", tag)
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(installation, "GET", "/events?limit=5", "", "Accept", "application/json")
                        .body())
                .matches("(?s)\\p{ASCII}+");

        Waiting.until(
                PATIENCE,
                () -> "Messages: " + receiver.messages(),
                () -> receiver.messages().size() >= before + 2);
        for (var message : receiver.messages()) {
            assertThat(message.signature().split(" ")).contains("v1," + signature(secret, message));
        }
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private HttpResponse<String> send(
            Installation installation, String method, String path, String body, String header, String value)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create(installation.url() + "/api/v1" + path))
                .header("Authorization", "Bearer " + installation.token())
                .header(header, value)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        return http.send(
                (body.isEmpty() ? request : request.header("Content-Type", "application/json")).build(),
                BodyHandlers.ofString());
    }

    private static String signature(String secret, Message message) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
        var signed = message.id() + "." + Long.toString(message.timestamp()) + "." + message.text();
        return Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    }
}
