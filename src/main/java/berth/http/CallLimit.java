package berth.http;

import berth.runtime.Gate;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Rejects a call before any work is done for it if too many calls are in progress. Health checks always pass, because they report the
 * state of the service. Event streams pass too: they last long and have a limit of their own.
 */
public final class CallLimit extends OncePerRequestFilter {

    private static final String HEALTH = "/actuator/health";

    private static final Duration SOON = Duration.ofSeconds(1);

    private static final Problem TOO_MANY =
            ProblemHandler.tooMany("The service has reached its limit of concurrent calls. Try again in a moment.");

    private final CallsUnderWay calls;
    private final ProblemWriter problems;

    public CallLimit(CallsUnderWay calls, ProblemWriter problems) {
        this.calls = calls;
        this.problems = problems;
    }

    static boolean isHealth(HttpServletRequest request) {
        return request.getRequestURI().startsWith(HEALTH);
    }

    /** Returns whether the request asks for an event stream. Streams have limits of their own. */
    public static boolean isStream(HttpServletRequest request) {
        return request.getRequestURI().endsWith("/events/stream");
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return isHealth(request) || isStream(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!calls.enter()) {
            refuse(TOO_MANY, response, problems);
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            calls.leave();
        }
    }

    public static void refuse(Problem problem, HttpServletResponse response, ProblemWriter problems)
            throws IOException {
        refuse(problem, SOON, response, problems);
    }

    /** Rejects a call whose turn does not come in time. */
    public static void refuse(Gate.Overloaded busy, HttpServletResponse response, ProblemWriter problems)
            throws IOException {
        refuse(ProblemHandler.tooMany(String.valueOf(busy.getMessage())), busy.retryAfter(), response, problems);
    }

    private static void refuse(
            Problem problem, Duration retryAfter, HttpServletResponse response, ProblemWriter problems)
            throws IOException {
        response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(retryAfter.toSeconds()));
        problems.write(problem, response);
    }
}
