package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionsIT extends ServiceSuite {

    @SuppressWarnings("NullAway.Init")
    private String name;

    @SuppressWarnings("NullAway.Init")
    private String token;

    @SuppressWarnings("NullAway.Init")
    private Api page;

    @BeforeEach
    void signIn() {
        name = newName();
        token = tokenOf(name, "CLIENT");
        page = Api.page(port, token);
        assertThat(page.get("/api/v1/me").text("name")).isEqualTo(name);
    }

    private Api with(String cookie, String... headers) {
        var all = new HashMap<>(Map.of("Cookie", cookie, Sessions.HEADER, "true"));
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], headers[i + 1]);
        }
        return new Api(port, all);
    }

    private String cookie() {
        return Api.cookie(port, token).replaceAll(";.*", "");
    }

    private static void assertEnded(Api page) {
        var reply = page.get("/api/v1/me");
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.text("code")).isEqualTo("unauthorized");
    }

    @Test
    void scriptsAndOtherSitesDoNotGetTheCookie() {
        assertThat(Api.cookie(port, token))
                .startsWith(Sessions.COOKIE + "=")
                .contains("; Path=/api/v1;", "; Max-Age=604800;", "; HttpOnly", "; SameSite=Strict")
                .doesNotContain(token, "Secure", "Domain");
        assertThat(Api.cookie(new Api(port, Optional.of(token))
                        .request("/api/v1/session")
                        .header("Origin", "https://berth.example.org")
                        .POST(BodyPublishers.noBody())))
                .contains("; Secure;");
    }

    @ParameterizedTest
    @CsvSource({"GET, /me", "POST, /reservations", "DELETE, /session", "GET, /events/stream"})
    void aCallWithTheCookieFromAnotherSiteIsForbidden(String method, String path) {
        var elsewhere = new Api(port, Map.of("Cookie", cookie(), "Origin", "https://elsewhere.example"));
        var reply = elsewhere.send(elsewhere
                .request("/api/v1" + path)
                .header("Content-Type", "text/plain")
                .method(method, BodyPublishers.ofString("{}")));
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.contentType()).isEqualTo("application/problem+json");
        assertThat(reply.text("code")).isEqualTo("forbidden");
        assertThat(reply.text("detail")).contains("Berth-Page: true");
    }

    @Test
    void noOtherSiteMaySendTheHeaderOfThePage() {
        var elsewhere = new Api(
                port,
                Map.of(
                        "Origin", "https://elsewhere.example",
                        "Access-Control-Request-Method", "POST",
                        "Access-Control-Request-Headers", "berth-page"));
        var preflight =
                elsewhere.send(elsewhere.request("/api/v1/reservations").method("OPTIONS", BodyPublishers.noBody()));
        assertThat(preflight.status()).isEqualTo(401);
    }

    @Test
    void aTokenInTheHeaderCountsAlone() {
        var other = newName();
        var both = with(cookie(), "Authorization", "Bearer " + tokenOf(other, "VIEWER"));
        assertThat(both.get("/api/v1/me").text("name")).isEqualTo(other);
        assertEnded(with(cookie(), "Authorization", "Bearer berth_guessed"));
        assertEnded(with(cookie(), "Authorization", "Basic bm9ib2R5"));
        // nor does a call without the page's header need one then
        var plain = new Api(port, Map.of("Cookie", cookie(), "Authorization", "Bearer " + token));
        assertThat(plain.get("/api/v1/me").status()).isEqualTo(200);
    }

    @Test
    void aForgedCookieIsNoSession() {
        var cookie = cookie();
        int at = cookie.length() - 10;
        var flipped = cookie.charAt(at) == 'A' ? 'B' : 'A';
        assertEnded(with(cookie.substring(0, at) + flipped + cookie.substring(at + 1)));
        assertEnded(with(cookie.substring(0, at)));
        assertEnded(with(Sessions.COOKIE + "=" + token));
        assertEnded(with(Sessions.COOKIE + "="));
        var value = cookie.substring(Sessions.COOKIE.length() + 1);
        assertEnded(new Api(port, Optional.of(value)));
        assertEnded(new Api(port, Optional.of(value.replace("sealed:", ""))));
    }

    @Test
    void aSessionEndsWithItsToken() {
        var replaced = admin.post("/api/v1/accounts/%s/token".formatted(name)).text("token");
        assertEnded(page);
        var next = Api.page(port, replaced);
        assertThat(next.get("/api/v1/me").text("name")).isEqualTo(name);

        assertThat(next.get("/api/v1/accounts").status()).isEqualTo(403);
        admin.patch("/api/v1/accounts/" + name, "{\"role\":\"ADMIN\"}");
        assertThat(next.get("/api/v1/accounts").status()).isEqualTo(200);
        admin.delete("/api/v1/accounts/" + name);
        assertEnded(next);
    }

    @Test
    void theCookieCannotBeginAnotherSession() {
        assertThat(page.post("/api/v1/session").status()).isEqualTo(401);
    }

    @Test
    void anAgentCannotSignIn() {
        var agent = new Api(port, Optional.of(tokenOfAgent(newName(), newCluster(1))));
        var reply = agent.post("/api/v1/session");
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.text("code")).isEqualTo("forbidden");
    }

    @Test
    void signingOutRemovesTheCookie() {
        var removed = Api.cookie(page.request("/api/v1/session").DELETE());
        assertThat(removed).startsWith(Sessions.COOKIE + "=;").contains("; Path=/api/v1;", "; Max-Age=0;");
    }

    @Test
    void aFeedIgnoresTheCookie() {
        var elsewhere = new Api(port, Map.of("Cookie", cookie()));
        assertThat(elsewhere.get("/api/v1/feeds/guessed.ics").status()).isEqualTo(404);
    }
}
