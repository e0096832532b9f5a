package berth.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.database.DataDirectory;
import berth.database.InstanceMode;
import berth.database.Seal;
import berth.http.Problem;
import jakarta.servlet.http.Cookie;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;

class SessionsTest {

    private static final String KEY = "ab".repeat(32);
    private static final Instant BEGAN = Instant.parse("2026-11-28T12:00:00Z");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path parent;

    private Instant now = BEGAN;

    @SuppressWarnings("NullAway.Init")
    private String cookie;

    @BeforeEach
    void begin() throws IOException {
        cookie = instance("one", KEY)
                .begin("berth_secret", new MockHttpServletRequest())
                .getValue();
    }

    private Seal seal(String directory, String key) throws IOException {
        try (var data = new DataDirectory(parent.resolve(directory))) {
            return new Seal(data, key, InstanceMode.MANY);
        }
    }

    private Sessions instance(String directory, String key) throws IOException {
        return new Sessions(seal(directory, key), () -> now);
    }

    private static MockHttpServletRequest call(String cookie) {
        var request = new MockHttpServletRequest();
        request.setCookies(new Cookie(Sessions.COOKIE, cookie));
        request.addHeader(Sessions.HEADER, "true");
        return request;
    }

    @Test
    void everyInstanceWithTheSameKeyOpensTheCookie() throws IOException {
        assertThat(instance("another", KEY).resolve(call(cookie))).isEqualTo("berth_secret");
        assertThat(cookie).doesNotContain("berth_secret");
    }

    @Test
    void aCookieOfAnotherKeyOrAnotherPurposeIsNoSession() throws IOException {
        var foreign = instance("another", "cd".repeat(32));
        assertThatThrownBy(() -> foreign.resolve(call(cookie))).isInstanceOf(OAuth2AuthenticationException.class);
        var own = instance("one", KEY);
        var ofAPeer = seal("one", KEY).seal("%d berth_secret".formatted(BEGAN.getEpochSecond() + 60));
        assertThatThrownBy(() -> own.resolve(call(ofAPeer))).isInstanceOf(OAuth2AuthenticationException.class);
    }

    @Test
    void aSessionEndsAfterAWeek() throws IOException {
        var sessions = instance("one", KEY);
        now = BEGAN.plus(Sessions.LIFETIME).minusSeconds(1);
        assertThat(sessions.resolve(call(cookie))).isEqualTo("berth_secret");
        now = now.plusSeconds(1);
        assertThatThrownBy(() -> sessions.resolve(call(cookie)))
                .isInstanceOf(OAuth2AuthenticationException.class)
                .hasMessageContaining("The session has ended.");
    }

    @Test
    void theCookieCountsOnlyWithTheHeaderOfThePageAndWithoutAToken() throws IOException {
        var sessions = instance("one", KEY);
        var elsewhere = new MockHttpServletRequest();
        elsewhere.setCookies(new Cookie(Sessions.COOKIE, cookie));
        assertThatThrownBy(() -> sessions.resolve(elsewhere)).isInstanceOf(Sessions.FromElsewhere.class);

        var both = call(cookie);
        both.addHeader("Authorization", "Bearer berth_another");
        assertThat(sessions.resolve(both)).isEqualTo("berth_another");
        var password = call(cookie);
        password.addHeader("Authorization", "Basic bm9ib2R5");
        assertThat(sessions.resolve(password)).isNull();
    }

    @Test
    void theCookieIsSecureIfTheBrowserUsesHttps() throws IOException {
        var sessions = instance("one", KEY);
        var behindAProxy = new MockHttpServletRequest();
        behindAProxy.addHeader("Origin", "https://berth.example.org");
        assertThat(sessions.begin("berth_secret", behindAProxy).isSecure()).isTrue();
        assertThat(Sessions.end(behindAProxy).isSecure()).isTrue();
        var direct = new MockHttpServletRequest();
        direct.setSecure(true);
        assertThat(sessions.begin("berth_secret", direct).isSecure()).isTrue();
        var plain = new MockHttpServletRequest();
        plain.addHeader("Origin", "http://localhost:8080");
        assertThat(sessions.begin("berth_secret", plain).isSecure()).isFalse();
    }

    @Test
    void aLongJwtOfManyGroupsFitsIntoACookie() throws IOException {
        var sessions = instance("one", KEY);
        var groups = IntStream.range(0, 200)
                .mapToObj("CN=project-%d,OU=Groups,DC=example,DC=org"::formatted)
                .toList();
        var signature = new byte[256];
        new Random(1).nextBytes(signature);
        var jwt = Stream.of(
                        "{\"alg\":\"RS256\"}".getBytes(UTF_8), groups.toString().getBytes(UTF_8), signature)
                .map(Base64.getUrlEncoder().withoutPadding()::encodeToString)
                .collect(joining("."));
        assertThat(jwt).hasSizeGreaterThan(10_000);

        var packed = sessions.begin(jwt, new MockHttpServletRequest()).getValue();

        assertThat(packed).hasSizeLessThan(4096 - Sessions.COOKIE.length());
        assertThat(sessions.resolve(call(packed))).isEqualTo(jwt);
    }

    @Test
    void aTokenThatNoBrowserWouldKeepIsRefused() throws IOException {
        var sessions = instance("one", KEY);
        var request = new MockHttpServletRequest();
        // another form of Base64 than that of a JWT, so it would not come back
        var longest = "a".repeat(2999) + "=";
        assertThat(sessions.begin(longest, request).getValue()).hasSizeLessThan(4096 - Sessions.COOKIE.length());
        assertThatThrownBy(() -> sessions.begin("a".repeat(100) + longest, request))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("3100 characters");
    }
}
