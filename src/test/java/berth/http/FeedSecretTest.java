package berth.http;

import static org.assertj.core.api.Assertions.assertThat;

import berth.accounts.Accounts;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class FeedSecretTest {

    private final String secret = Accounts.newFeedSecret();

    /** A request as parsed by a server: {@code sent} is percent-encoded, {@code path} is not. */
    private static MockHttpServletRequest request(String sent, String path) {
        var request = new MockHttpServletRequest("GET", sent);
        request.setServletPath(path);
        return request;
    }

    @Test
    void theHashReplacesTheSecret() {
        var path = FeedSecret.path(secret);
        var request = request(path, path);
        var hidden = FeedSecret.hidden(request);

        var known = "/api/v1/feeds/" + Accounts.hash(secret) + ".ics";
        assertThat(hidden.getRequestURI()).isEqualTo(known).isEqualTo(hidden.getServletPath());
        assertThat(hidden.getRequestURL().toString()).isEqualTo("http://localhost" + known);
        assertThat(hidden.getPathInfo()).isNull();
        assertThat(FeedSecret.hash(hidden)).contains(Accounts.hash(secret));
        assertThat(FeedSecret.sentPath(hidden)).isEqualTo(path);
    }

    /** The hash gives no access to the feed, even to a reader of the logs. */
    @Test
    void theHashOfASecretOpensNoFeed() {
        var path = FeedSecret.path(Accounts.hash(secret));

        assertThat(FeedSecret.hash(FeedSecret.hidden(request(path, path))))
                .contains(Accounts.hash(Accounts.hash(secret)));
    }

    @Test
    void theSecretIsHiddenInAnyEncodingOfThePath() {
        var hidden = FeedSecret.hidden(
                request("/api/v1/%66eeds/%66" + secret.substring(1) + ".ics", FeedSecret.path(secret)));

        assertThat(hidden.getRequestURI()).doesNotContain(secret.substring(1));
        assertThat(FeedSecret.hash(hidden)).contains(Accounts.hash(secret));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", ".ics/", ".ICS", ".txt", "/more.ics"})
    void theSecretIsHiddenWhateverFollowsIt(String end) {
        var path = "/api/v1/feeds/" + secret + end;
        var hidden = FeedSecret.hidden(request(path, path));

        assertThat(hidden.getRequestURI()).startsWith("/api/v1/feeds/").doesNotContain(secret);
    }

    @Test
    void otherPathsAreLeftAlone() {
        var request = request("/api/v1/accounts/ada/feeds", "/api/v1/accounts/ada/feeds");

        assertThat(FeedSecret.hidden(request)).isSameAs(request);
        assertThat(FeedSecret.hash(request)).isEmpty();
        assertThat(FeedSecret.sentPath(request)).isEqualTo("/api/v1/accounts/ada/feeds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/feeds/", "/api/v2/feeds/", "/"})
    void noSecretReachesTheLogOrLaterFilters(String where) throws Exception {
        var logger = (Logger) LoggerFactory.getLogger(RequestIds.class);
        var lines = new ListAppender<ILoggingEvent>();
        var level = logger.getLevel();
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.DEBUG);
        var seen = new ArrayList<String>();
        try {
            var path = where + secret + ".ics";
            new RequestIds()
                    .doFilter(
                            request(path, path),
                            new MockHttpServletResponse(),
                            (request, _) -> seen.add(((HttpServletRequest) request).getRequestURI()));
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(level);
        }

        assertThat(lines.list)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.getFormattedMessage()).doesNotContain(secret));
        assertThat(seen).hasSize(1).noneMatch(path -> path.contains(secret));
    }
}
