package berth.http;

import berth.accounts.Accounts;
import berth.accounts.Feed;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the secret in the path of a feed by its hash, before any filter, log or problem sees the request. The hash gives no access to
 * the feed.
 */
public final class FeedSecret {

    private static final String FEEDS = "/api/v1/feeds/";
    private static final String END = ".ics";
    private static final String HIDDEN = "hidden";

    /** Matches a secret that was sent to another path by mistake. */
    private static final Pattern SECRET = Pattern.compile(Feed.PREFIX + "[A-Za-z0-9_-]{43}");

    private static final String SENT = FeedSecret.class.getName() + ".sent";
    private static final String HASH = FeedSecret.class.getName() + ".hash";

    private FeedSecret() {}

    /** Returns the path of the feed with this secret. */
    public static String path(String secret) {
        return FEEDS + secret + END;
    }

    /** Returns the request without a secret in its path. */
    public static HttpServletRequest hidden(HttpServletRequest request) {
        // the path as the controllers are matched, percent-decoded
        var path = request.getServletPath() + Objects.requireNonNullElse(request.getPathInfo(), "");
        if (!path.startsWith(FEEDS) && !SECRET.matcher(path).find()) {
            return request;
        }
        request.setAttribute(SENT, request.getRequestURI());
        if (!path.startsWith(FEEDS) || !path.endsWith(END)) {
            return new Hidden(request, path.startsWith(FEEDS) ? FEEDS + HIDDEN : "/" + HIDDEN);
        }
        var hash =
                Accounts.hash(path.substring(FEEDS.length(), Math.max(FEEDS.length(), path.length() - END.length())));
        request.setAttribute(HASH, hash);
        return new Hidden(request, path(hash));
    }

    /** Returns the path as the client sent it, for forwarding the request. */
    public static String sentPath(HttpServletRequest request) {
        return request.getAttribute(SENT) instanceof String sent ? sent : request.getRequestURI();
    }

    /** Returns the hash of the secret that the client sent, if the request is for a feed. */
    static Optional<String> hash(HttpServletRequest request) {
        return Optional.ofNullable((String) request.getAttribute(HASH));
    }

    private static final class Hidden extends HttpServletRequestWrapper {
        private final String path;

        Hidden(HttpServletRequest request, String path) {
            super(request);
            this.path = path;
        }

        @Override
        public String getRequestURI() {
            return path;
        }

        @Override
        public StringBuffer getRequestURL() {
            var url = super.getRequestURL();
            int at = url.indexOf("/", url.indexOf("//") + 2);
            return new StringBuffer(at < 0 ? url : url.substring(0, at)).append(path);
        }

        @Override
        public String getServletPath() {
            return path;
        }

        @Override
        public @Nullable String getPathInfo() {
            return null;
        }
    }
}
