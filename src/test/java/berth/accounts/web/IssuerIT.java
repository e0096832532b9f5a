package berth.accounts.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import berth.service.TinyIssuer;
import berth.service.TinyIssuer.Mood;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jwt.JWTClaimsSet;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/**
 * Tests tokens of an OIDC issuer next to Berth's own. Berth requests the issuer's keys once, so tests of the time before that come first.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@DirtiesContext
class IssuerIT extends ServiceSuite {

    private static final TinyIssuer issuer = new TinyIssuer();

    @DynamicPropertySource
    static void issuer(DynamicPropertyRegistry registry) {
        registry.add("spring.security.oauth2.resourceserver.jwt.issuer-uri", issuer::uri);
        registry.add("spring.security.oauth2.resourceserver.jwt.audiences", () -> "berth");
    }

    @AfterEach
    void cheerUp() {
        issuer.mood = Mood.FINE;
    }

    @Test
    @Order(1)
    void theProblemNamesAnUnavailableIssuer() {
        for (var mood : List.of(Mood.BROKEN, Mood.TALKS_NONSENSE, Mood.SILENT)) {
            issuer.mood = mood;
            assertUnavailable(call(issuer.token(claims("admin"))));
        }
    }

    @Test
    @Order(2)
    void aSilentIssuerDelaysItsUsersBrieflyAndOthersNotAtAll() throws Exception {
        issuer.mood = Mood.SILENT;
        var token = issuer.token(claims("admin"));
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var began = System.nanoTime();
            var waiting = Stream.generate(() -> executor.submit(() -> call(token)))
                    .limit(50)
                    .toList();
            for (int i = 0; i < 5; i++) {
                assertThat(admin.get("/api/v1/clusters").status()).isEqualTo(200);
                assertUnauthorized(call("berth_guessed"));
                assertUnauthorized(call("a.b.c"));
            }
            var others = System.nanoTime();
            for (var reply : waiting) {
                assertUnavailable(reply.get());
            }
            assertThat(Duration.ofNanos(others - began)).isLessThan(Duration.ofMillis(1900));
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(50));
        }
    }

    @Test
    @Order(3)
    void aTokenOfTheIssuerStandsForTheAccountThatItNames() {
        var name = newName();
        var created = admin.post("/api/v1/accounts", """
                {"name":"%s","role":"CLIENT"}""".formatted(name));
        var client = new Api(port, Optional.of(created.text("token")));
        // roles in the token are ignored
        var token = issuer.token(claims(name)
                .claim("role", "ADMIN")
                .claim("roles", List.of("ADMIN", "ROLE_ADMIN"))
                .claim("scope", "ADMIN"));

        var reservation = new Api(port, Optional.of(token)).post("/api/v1/reservations", """
                {"terms":{"readyTime":"%s","duration":"PT1H","pes":1},"cluster":"demo"}""".formatted(at(24 * 20)));

        assertThat(reservation.status()).isEqualTo(201);
        assertThat(reservation.text("owner")).isEqualTo(name);
        assertThat(client.get("/api/v1/reservations/" + reservation.text("id")).status())
                .isEqualTo(200);
        assertThat(new Api(port, Optional.of(token)).get("/api/v1/accounts").text("code"))
                .isEqualTo("forbidden");
        admin.patch("/api/v1/accounts/" + name, "{\"role\":\"ADMIN\"}");
        assertThat(new Api(port, Optional.of(token)).get("/api/v1/accounts").status())
                .isEqualTo(200);
        assertThat(new Api(port, Optional.of(token))
                        .delete("/api/v1/accounts/" + name)
                        .text("code"))
                .isEqualTo("wrong-state");
        admin.delete("/api/v1/accounts/" + name);
        assertUnauthorized(call(token));
    }

    @Test
    @Order(3)
    void aSessionEndsWithTheTokenOfTheIssuer() {
        var name = newName();
        var unused = tokenOf(name, "VIEWER");
        var page = Api.page(port, issuer.token(claims(name)));
        assertThat(page.get("/api/v1/me").text("name")).isEqualTo(name);

        // the token is valid for five minutes, and the clocks may differ by one
        clock.advance(Duration.ofMinutes(7));
        assertUnauthorized(page.get("/api/v1/me"));
    }

    @Test
    @Order(3)
    void accessTokensOfTheStandardAreAccepted() {
        for (var type : List.of("JWT", "jwt", "at+jwt", "application/at+jwt")) {
            assertThat(call(issuer.token(claims("admin"), new JOSEObjectType(type)))
                            .status())
                    .as(type)
                    .isEqualTo(200);
        }
        assertThat(call(issuer.token(claims("admin").audience(List.of("other", "berth"))))
                        .status())
                .isEqualTo(200);
    }

    @Test
    @Order(3)
    void anInvalidTokenOfTheIssuerIsRejected() {
        var now = clock.instant();
        var refused = Map.ofEntries(
                Map.entry("unknown account", issuer.token(claims("nobody"))),
                Map.entry("no account", issuer.token(claims("admin").subject(null))),
                Map.entry("list of accounts", issuer.token(claims("x").claim("sub", List.of("admin")))),
                Map.entry("another issuer", issuer.token(claims("admin").issuer("http://localhost:1"))),
                Map.entry("no issuer", issuer.token(claims("admin").issuer(null))),
                Map.entry("another audience", issuer.token(claims("admin").audience("other"))),
                Map.entry("no audience", issuer.token(claims("admin").audience((String) null))),
                Map.entry(
                        "expired",
                        issuer.token(claims("admin")
                                .issueTime(date(now.minusSeconds(300)))
                                .expirationTime(date(now.minusSeconds(120))))),
                Map.entry("without an end", issuer.token(claims("admin").expirationTime(null))),
                Map.entry("not yet", issuer.token(claims("admin").notBeforeTime(date(now.plusSeconds(120))))),
                Map.entry("forged", issuer.forged(claims("admin"), "first")),
                Map.entry("forged with a key of its own", issuer.forged(claims("admin"), "mine")),
                Map.entry("alg none", TinyIssuer.unsigned(claims("admin"))),
                Map.entry("public key as a secret", issuer.signedWithThePublicKey(claims("admin"))),
                Map.entry("another kind", issuer.token(claims("admin"), new JOSEObjectType("logout+jwt"))),
                Map.entry("cut off", issuer.token(claims("admin")).replaceAll("\\..*", "..")),
                Map.entry("changed", changed(issuer.token(claims("nobody")))),
                Map.entry("no JSON", "YQ.YQ.YQ"),
                Map.entry("dots", "..."),
                Map.entry("long", "x".repeat(5000)),
                Map.entry("long and signed", issuer.token(claims("n".repeat(3000)))));

        refused.forEach((what, token) -> assertUnauthorized(what, call(token)));
        Map.of(
                        "expired", "expired at",
                        "another audience", "aud claim",
                        "another issuer", "iss claim",
                        "no account", "no claim sub",
                        "unknown account", "no account of the name",
                        "forged", "signature",
                        "alg none", "signed JWT")
                .forEach((what, why) -> assertThat(challenge(refused.get(what)))
                        .as(what)
                        .startsWith("Bearer error=\"invalid_token\", error_description=\"")
                        .contains(why));
        assertThat(call(issuer.token(claims("admin"))).status()).isEqualTo(200);
    }

    /** Returns the token with the claims of another one, so that the signature does not match. */
    private String changed(String token) {
        var parts = token.split("\\.", -1);
        var others = issuer.token(claims("admin")).split("\\.", -1);
        return String.join(".", parts[0], others[1], parts[2]);
    }

    @Test
    @Order(4)
    void berthKeepsTheKeysOfAnUnavailableIssuerAndFindsNewOnesLater() {
        var old = issuer.token(claims("admin"));
        assertThat(call(old).status()).isEqualTo(200);

        for (var mood : List.of(Mood.BROKEN, Mood.TALKS_NONSENSE, Mood.SILENT)) {
            issuer.mood = mood;
            int questions = issuer.questions();
            assertThat(call(old).status()).isEqualTo(200);
            assertThat(issuer.questions()).isEqualTo(questions);
            assertUnavailable(call(issuer.forged(claims("admin"), "next")));
        }
        issuer.mood = Mood.FINE;
        issuer.changeKey("next");
        assertThat(call(issuer.token(claims("admin"))).status()).isEqualTo(200);
        assertUnauthorized(call(old));
    }

    /** Returns the header that says why a token was refused. */
    private String challenge(@Nullable String token) {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:%d/api/v1/clusters".formatted(port)))
                .header("Authorization", "Bearer " + token)
                .build();
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.discarding())
                    .headers()
                    .firstValue("WWW-Authenticate")
                    .orElse("");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Reply call(String token) {
        return new Api(port, Optional.of(token)).get("/api/v1/clusters");
    }

    private JWTClaimsSet.Builder claims(String account) {
        return new JWTClaimsSet.Builder()
                .subject(account)
                .issuer(issuer.uri())
                .audience("berth")
                .issueTime(date(clock.instant()))
                .expirationTime(date(clock.instant().plusSeconds(300)));
    }

    private static Date date(Instant instant) {
        return Date.from(instant);
    }

    private static void assertUnauthorized(Reply reply) {
        assertUnauthorized("token", reply);
    }

    private static void assertUnauthorized(String what, Reply reply) {
        assertThat(reply.text("code")).as("%s: %s", what, reply).isEqualTo("unauthorized");
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.contentType()).isEqualTo("application/problem+json");
    }

    private static void assertUnavailable(Reply reply) {
        assertThat(reply.text("code")).as("%s", reply).isEqualTo("unavailable");
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.contentType()).isEqualTo("application/problem+json");
    }
}
