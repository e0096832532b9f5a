package berth.service;

import berth.http.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;
import org.springframework.security.web.header.HeaderWriter;
import org.springframework.security.web.header.writers.CacheControlHeadersWriter;
import org.springframework.security.web.header.writers.HstsHeaderWriter;
import org.springframework.security.web.header.writers.XContentTypeOptionsHeaderWriter;
import org.springframework.security.web.header.writers.XXssProtectionHeaderWriter;
import org.springframework.security.web.header.writers.frameoptions.XFrameOptionsHeaderWriter;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Rejects calls without a token before the filters of Spring Security, which return the same response at a multiple of the cost, so that
 * nobody can keep the service busy with such calls. It leaves unusual calls to those filters, and those that need no token.
 */
final class CallsWithoutToken extends OncePerRequestFilter {

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

    /** Ordinary paths, and none that Spring Security's firewall would reject. A feed and the links in mail need no token. */
    private static final Pattern ORDINARY =
            Pattern.compile("/api/v1(?!/feeds/|/mail/)(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+");

    /** An operator may open a calendar of outages to everybody. */
    private static final String CALENDAR = ".ics";

    /** The headers that Spring Security adds to every response, in its order. */
    private static final List<HeaderWriter> HEADERS = List.of(
            new XContentTypeOptionsHeaderWriter(),
            new XXssProtectionHeaderWriter(),
            new CacheControlHeadersWriter(),
            new HstsHeaderWriter(),
            new XFrameOptionsHeaderWriter());

    private final ProblemWriter problems;

    CallsWithoutToken(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        var path = request.getRequestURI();
        return request.getHeader(HttpHeaders.AUTHORIZATION) != null
                || Sessions.has(request)
                || path.endsWith(CALENDAR)
                || !METHODS.contains(request.getMethod())
                || !ORDINARY.matcher(path).matches();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, RestConfiguration.CHALLENGE);
        HEADERS.forEach(header -> header.writeHeaders(request, response));
        problems.write(RestConfiguration.UNAUTHORIZED, response);
    }
}
