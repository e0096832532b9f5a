package berth.http;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * The outermost filter. It gives every request an id, and uses the client's own id if that has only safe characters. The response and all
 * log lines about the request have the id. At DEBUG, one of these lines describes the call itself. The filter hides the secret of a feed
 * from all log lines.
 */
public final class RequestIds extends OncePerRequestFilter {

    public static final String HEADER = "X-Request-Id";

    /** The key of the id in the log. */
    static final String KEY = "request";

    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9._-]{1,128}");
    private static final Logger log = LoggerFactory.getLogger(RequestIds.class);

    private static final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        var given = response.getHeader(HEADER);
        var id = given != null ? given : id(request.getHeader(HEADER));
        response.setHeader(HEADER, id);
        var known = FeedSecret.hidden(request);
        try (var _ = MDC.putCloseable(KEY, id)) {
            if (log.isDebugEnabled()) {
                long begun = System.nanoTime();
                chain.doFilter(known, response);
                log.debug(
                        "{} {} returned status {} after {} µs.",
                        request.getMethod(),
                        known.getRequestURI(),
                        response.getStatus(),
                        (System.nanoTime() - begun) / 1000);
            } else {
                chain.doFilter(known, response);
            }
        }
    }

    /** Runs for error dispatches, too: the container rejects some requests itself and dispatches only the error. */
    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    /** Returns the id of the request that this thread handles. */
    public static Optional<String> current() {
        return Optional.ofNullable(MDC.get(KEY));
    }

    /** Returns the id for a request: the one that was sent if it is safe, and otherwise a new one. */
    static String id(@Nullable String sent) {
        return sent != null && SAFE.matcher(sent).matches()
                ? sent
                : ids.generate().toString();
    }
}
