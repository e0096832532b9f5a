package berth.rest;

import berth.security.Accounts;
import berth.security.Feed;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The secret in the path of a feed. Before anybody else sees the request, be it a filter, a log or a problem, its hash stands there in
 * its place, which opens nothing.
 */
final class FeedSecret {

    private static final String FEEDS = "/api/v1/feeds/";
    private static final String END = ".ics";
    private static final String HIDDEN = "hidden";

    /** What was sent to another path by mistake. */
    private static final Pattern SECRET = Pattern.compile(Feed.PREFIX + "[A-Za-z0-9_-]{43}");

    private static final String SENT = FeedSecret.class.getName() + ".sent";
    private static final String HASH = FeedSecret.class.getName() + ".hash";

    private FeedSecret() {}

    /** Where the feed with a secret is read. */
    static String path(String secret) {
        return FEEDS + secret + END;
    }

    /** The same request without a secret in its path. */
    static HttpServletRequest hidden(HttpServletRequest request) {
        // as it is matched, whatever of it is encoded
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

    /** The path as it was sent, for whoever passes the request on. */
    static String sentPath(HttpServletRequest request) {
        return request.getAttribute(SENT) instanceof String sent ? sent : request.getRequestURI();
    }

    /** The hash of the secret that was sent, if it is a feed that is asked for. */
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
