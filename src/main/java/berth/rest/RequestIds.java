package berth.rest;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Around everything else: gives every request an id, the client's own where it sent a sober one, which is in the answer
 * and in every log line that the request leads to. One of these lines, at DEBUG, tells of the call itself. The secret of a feed is hidden
 * from all of them.
 */
final class RequestIds extends OncePerRequestFilter {

    static final String HEADER = "X-Request-Id";

    /** What the log calls the id. */
    static final String KEY = "request";

    private static final Pattern SOBER = Pattern.compile("[A-Za-z0-9._-]{1,128}");
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
                        "{} {} was answered with {} after {} µs.",
                        request.getMethod(),
                        known.getRequestURI(),
                        response.getStatus(),
                        (System.nanoTime() - begun) / 1000);
            } else {
                chain.doFilter(known, response);
            }
        }
    }

    /** The container refuses some requests by itself and dispatches only the error. */
    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    /** The id of a request that came with this one. */
    static String id(@Nullable String sent) {
        return sent != null && SOBER.matcher(sent).matches()
                ? sent
                : ids.generate().toString();
    }
}
