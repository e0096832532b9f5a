package berth.accounts.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import berth.service.TinyIssuer;
import berth.service.TinyIssuer.Mood;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jwt.JWTClaimsSet;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;
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
        registry.add("berth.jwt.groups-claim", () -> "realm_access.roles");
        registry.add("berth.jwt.admin-groups", () -> "ops");
        registry.add("berth.jwt.viewer-groups[0]", () -> "CN=Help desk,OU=Staff");
        registry.add("berth.jwt.first-sign-in.template", () -> "template");
        registry.add("berth.jwt.first-sign-in.groups", () -> "staff,ops");
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
                assertThat(undelayed(() -> admin.get("/api/v1/clusters")).status())
                        .isEqualTo(200);
                assertUnauthorized(undelayed(() -> call("berth_guessed")));
                assertUnauthorized(undelayed(() -> call("a.b.c")));
            }
            for (var reply : waiting) {
                assertUnavailable(reply.get());
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(50));
        }
    }

    /** Makes a call and checks that it does not wait for the issuer, which takes two seconds. */
    private static Reply undelayed(Supplier<Reply> call) {
        var began = System.nanoTime();
        var reply = call.get();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(1900));
        return reply;
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
    void aFirstSignInMakesOneAccountLikeTheTemplate() throws Exception {
        makeTemplate();
        var name = newName();
        var token = issuer.token(inGroups(name, List.of("staff"))
                .claim("name", "Zoë\u202E\n Ünal")
                .claim("email", "zoe@example.org")
                .claim("email_verified", true));

        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = Stream.generate(() -> executor.submit(() -> call(token)))
                    .limit(10)
                    .toList();
            for (var reply : calls) {
                assertThat(reply.get().status()).isEqualTo(200);
            }
        }

        var account = admin.get("/api/v1/accounts/" + name);
        assertThat(account.text("role")).isEqualTo("CLIENT");
        assertThat(account.text("limits.pes")).isEqualTo("8");
        assertThat(account.text("serviceClass")).isEqualTo("PREMIUM");
        assertThat(account.text("displayName")).isEqualTo("Zoë Ünal");
        var mail = admin.get("/api/v1/accounts/%s/mail".formatted(name));
        assertThat(mail.text("address")).isEqualTo("zoe@example.org");
        assertThat(mail.text("proved")).isEqualTo("true");
        admin.delete("/api/v1/accounts/" + name);
        assertUnauthorized(call(token));
        assertUnauthorized(call(issuer.token(inGroups(newName(), List.of("students")))));
        assertUnauthorized(call(issuer.token(inGroups("not a name", List.of("staff")))));
    }

    @Test
    @Order(3)
    void rolesFollowTheGroupsThatTheSettingsName() {
        var name = newName();
        var unused = tokenOf(name, "CLIENT");

        assertThat(me(inGroups(name, List.of("admin", "ADMIN", "OPS"))).text("role"))
                .isEqualTo("CLIENT");
        assertThat(me(inGroups(name, List.of("ops", "CN=Help desk,OU=Staff"))).text("role"))
                .isEqualTo("ADMIN");
        var account = admin.get("/api/v1/accounts/" + name);
        assertThat(account.text("roleByHand")).isEqualTo("CLIENT");
        var refused = admin.patch("/api/v1/accounts/" + name, "{\"role\":\"CLIENT\"}");
        assertThat(refused.text("errors.0.field")).isEqualTo("role");
        assertThat(admin.patch("/api/v1/accounts/" + name, "{\"priority\":7}").text("role"))
                .isEqualTo("ADMIN");
        assertThat(me(inGroups(name, List.of("CN=Help desk,OU=Staff"))).text("role"))
                .isEqualTo("VIEWER");
        assertThat(me(claims(name).claim("realm_access", Map.of("roles", "staff")))
                        .text("role"))
                .isEqualTo("CLIENT");
        assertThat(me(claims("admin")).text("role")).isEqualTo("ADMIN");
    }

    @Test
    @Order(3)
    void membershipsFollowTheNewestTokenBeforeTheRequestIsDecided() {
        var project = newName();
        var name = newName();
        var unused = tokenOf(name, "CLIENT");
        admin.post("/api/v1/projects", """
                {"id":"%s","name":"Machine learning"}""".formatted(project));
        var changed = admin.patch("/api/v1/projects/" + project, """
                {"groups":[{"group":"/hpc/ml","role":"MEMBER"}]}""");
        assertThat(changed.status()).as("%s", changed).isEqualTo(200);
        assertThat(changed.text("groupsMode")).isEqualTo("ADDITIVE");

        var in = inGroups(name, List.of("/hpc/ml")).claim("name", "Zoë Ünal");
        var path = "/api/v1/projects/" + project;
        assertThat(call(inGroups(name, List.of("/hpc/ML")), path).status()).isEqualTo(404);
        var seen = call(in, path);
        assertThat(seen.text("members.0.account")).isEqualTo(name);
        assertThat(seen.text("members.0.displayName")).isEqualTo("Zoë Ünal");
        assertThat(seen.text("members.0.origin")).isEqualTo("GROUP");
        assertThat(book(in, project).status()).isEqualTo(201);

        clock.advance(Duration.ofSeconds(10));
        assertThat(book(inGroups(name, List.of()), project).text("code")).isEqualTo("forbidden");
        // the older token is still valid, but its groups are not those of the person any more
        assertThat(call(in, path).status()).isEqualTo(404);

        assertThat(admin.put(path + "/members/" + name, "{\"role\":\"OWNER\"}").status())
                .isEqualTo(200);
        assertThat(call(inGroups(name, List.of()), path).status()).isEqualTo(200);
        assertThat(admin.patch(path, "{\"groupsMode\":\"EXACT\"}").text("groupsMode"))
                .isEqualTo("EXACT");
        assertThat(call(inGroups(name, List.of()), path).status()).isEqualTo(404);
    }

    @Test
    @Order(3)
    void hostileClaimsAreNoGroupsAndAnOverlongTokenIsRefused() {
        makeTemplate();
        var deep = new HashMap<String, Object>(Map.of("roles", List.of("ops")));
        for (int i = 0; i < 200; i++) {
            deep = new HashMap<>(Map.of("realm_access", deep));
        }
        for (var claim : List.of(
                deep,
                Map.of("roles", Map.of("ops", "ops")),
                Map.of("roles", List.of(List.of("ops"), Map.of("ops", true), 1)),
                Map.of("roles", true),
                List.of("ops"),
                "ops")) {
            var reply = call(issuer.token(claims(newName()).claim("realm_access", claim)));
            assertUnauthorized(claim.toString(), reply);
        }
        var name = newName();
        var many = IntStream.range(0, 1000).mapToObj(i -> "group-" + i);
        assertThat(me(inGroups(name, Stream.concat(many, Stream.of("staff")).toList()))
                        .text("role"))
                .isEqualTo("CLIENT");
        var tooMany = IntStream.range(0, 10_000).mapToObj(i -> "group-" + i).toList();
        assertThat(call(issuer.token(inGroups(name, tooMany))).status()).isEqualTo(400);
    }

    @Test
    @Order(3)
    void groupsOfAProjectAreCheckedAndOnlyAdministratorsSetThem() {
        var project = newName();
        var name = newName();
        var owner = new Api(port, Optional.of(tokenOf(name, "CLIENT")));
        admin.post("/api/v1/projects", """
                {"id":"%s","name":"Machine learning"}""".formatted(project));
        var path = "/api/v1/projects/" + project;
        admin.put(path + "/members/" + name, "{\"role\":\"OWNER\"}");

        assertThat(owner.patch(path, "{\"groups\":[]}").text("code")).isEqualTo("forbidden");
        assertThat(owner.patch(path, "{\"groupsMode\":\"EXACT\"}").text("code")).isEqualTo("forbidden");
        var ml = "{\"group\":\"ml\",\"role\":\"MEMBER\"}";
        Map.of(
                        "[%s,%s]".formatted(ml, ml),
                        "groups[1].group",
                        "[{\"group\":\"a\\u0000\",\"role\":\"MEMBER\"}]",
                        "groups[0].group",
                        "[{\"group\":\"\",\"role\":\"MEMBER\"}]",
                        "groups[0].group",
                        "[{\"role\":\"MEMBER\"}]",
                        "groups[0].group",
                        "[{\"group\":\"a\"}]",
                        "groups[0].role",
                        "[null]",
                        "groups[0]",
                        "[%s]".formatted(String.join(",", Collections.nCopies(51, ml))),
                        "groups")
                .forEach((groups, field) -> {
                    var reply = admin.patch(path, "{\"groups\":%s}".formatted(groups));
                    assertThat(reply.text("errors.0.field")).as("%s", reply).isEqualTo(field);
                });
        assertThat(admin.patch(path, "{\"groups\":[%s],\"name\":\"ML\"}".formatted(ml))
                        .text("groups.0.group"))
                .isEqualTo("ml");
        assertThat(owner.get(path).text("groups.0.role")).isEqualTo("MEMBER");
        assertThat(admin.patch(path, "{\"groups\":[]}").text("members.0.account"))
                .isEqualTo(name);
    }

    /** All that a site needs between people, together: by the issuer, the mail server, and the calls behind the links in mail. */
    @Test
    @Order(3)
    void aPersonSignsInAsksIsApprovedIsMovedAndReturnsTime() throws Exception {
        makeTemplate();
        var name = newName();
        var boss = newName();
        var cluster = newName();
        var project = newName();
        var approver = new Api(port, Optional.of(tokenOf(boss, "CLIENT")));
        admin.patch("/api/v1/accounts/%s/mail".formatted(boss), "{\"address\":\"%s@example.org\"}".formatted(boss));
        admin.post("/api/v1/clusters", """
                {"id":"%s","pes":8,"tariff":{"returnShare":0.5},
                 "policy":{"minAvailability":0,"approval":{"rules":[{"pesAbove":4}],"approvers":["%s"]}}}""".formatted(cluster, boss));
        admin.post("/api/v1/projects", "{\"id\":\"%s\",\"name\":\"Machine learning\"}".formatted(project));
        admin.patch("/api/v1/projects/" + project, "{\"groups\":[{\"group\":\"/hpc/ml\",\"role\":\"MEMBER\"}]}");

        // a group lets the person in, and into the project; the issuer has proved the address
        var chosen = person(name).patch("/api/v1/accounts/%s/mail".formatted(name), """
                {"kinds":["CONFIRMED","APPROVAL","MOVED"]}""");
        assertThat(chosen.text("address")).isEqualTo(name + "@example.org");
        var asked = person(name).post("/api/v1/reservations", """
                {"name":"training","project":"%s","cluster":"%s",
                 "terms":{"readyTime":"%s","deadline":"%s","duration":"PT2H","pes":8,"mobility":{"maxMoves":3}}}""".formatted(project, cluster, at(24), at(48)));
        assertThat(asked.text("state")).as("%s", asked).isEqualTo("PENDING");

        var id = asked.text("id");
        var question = letter(boss, 1);
        assertThat(question).contains("To approve: training", "%s/#/reservation?id=%s".formatted(URL, id));
        approver.post("/api/v1/reservations/%s/approve".formatted(id), "{}");
        assertThat(letter(name, 1))
                .contains("Subject: Approved: training", "METHOD:REQUEST", "SEQUENCE:1", "DTSTART:" + calendarTime(24));

        // somebody needs just that time
        var blocked = client().post("/api/v1/reservations", """
                {"terms":{"readyTime":"%s","deadline":"%s","duration":"PT2H","pes":4},"cluster":"%s"}""".formatted(at(24), at(26), cluster));
        assertThat(blocked.status()).as("%s", blocked).isEqualTo(201);
        assertThat(letter(name, 2))
                .contains("Subject: Moved: training", "METHOD:REQUEST", "SEQUENCE:2", "DTSTART:" + calendarTime(26));

        pass(Duration.ofHours(27));
        var price =
                new BigDecimal(person(name).get("/api/v1/reservations/" + id).text("price.amount"));
        var returned = person(name).post("/api/v1/reservations/%s/complete".formatted(id));
        assertThat(returned.text("state")).as("%s", returned).isEqualTo("COMPLETED");
        // half of the price of the hour that is left
        assertThat(returned.text("returnCredit.amount"))
                .isEqualTo(price.divide(BigDecimal.valueOf(4), 2, RoundingMode.DOWN)
                        .toPlainString());
    }

    private Api person(String name) {
        return new Api(
                port,
                Optional.of(issuer.token(inGroups(name, List.of("staff", "/hpc/ml"))
                        .claim("email", name + "@example.org")
                        .claim("email_verified", true))));
    }

    private static String calendarTime(int hours) {
        return at(hours).replaceAll("[-:]", "");
    }

    /** Returns the text of a letter to an account, with its headers. */
    private static String letter(String account, int number) throws Exception {
        var end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        var address = account + "@example.org";
        while (MAIL.of(address).size() < number) {
            assertThat(System.nanoTime()).as("mail, of %d", number).isLessThan(end);
            Thread.sleep(20);
        }
        var text = new ByteArrayOutputStream();
        var letter = MAIL.of(address).get(number - 1);
        text.writeBytes("Subject: %s\n".formatted(letter.getSubject()).getBytes(StandardCharsets.UTF_8));
        var parts = (MimeMultipart) letter.getContent();
        for (int i = 0; i < parts.getCount(); i++) {
            parts.getBodyPart(i).getInputStream().transferTo(text);
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    private void makeTemplate() {
        admin.post(
                "/api/v1/accounts",
                "{\"name\":\"template\",\"role\":\"CLIENT\",\"serviceClass\":\"PREMIUM\",\"limits\":{\"pes\":8}}");
    }

    private JWTClaimsSet.Builder inGroups(String name, List<String> groups) {
        return claims(name).claim("realm_access", Map.of("roles", groups));
    }

    private Reply me(JWTClaimsSet.Builder claims) {
        return call(claims, "/api/v1/me");
    }

    private Reply call(JWTClaimsSet.Builder claims, String path) {
        return new Api(port, Optional.of(issuer.token(claims))).get(path);
    }

    private Reply book(JWTClaimsSet.Builder claims, String project) {
        return new Api(port, Optional.of(issuer.token(claims)))
                .post("/api/v1/reservations", """
                {"terms":{"readyTime":"%s","duration":"PT1H","pes":1},"cluster":"demo","project":"%s"}""".formatted(at(24 * 20), project));
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
                        "unknown account", "none of its groups",
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
