package berth.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.DisconnectedClientHelper;

/** Returns a problem document for errors outside of controllers. */
public final class UnhandledErrors extends OncePerRequestFilter {

    private static final Logger log = LoggerFactory.getLogger(UnhandledErrors.class);

    private final ProblemWriter problems;

    public UnhandledErrors(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException {
        try {
            chain.doFilter(request, response);
        } catch (InvalidParameterException | RequestRejectedException e) {
            answer(ProblemHandler.CHARACTERS, response);
        } catch (Exception e) {
            if (DisconnectedClientHelper.isClientDisconnectedException(e)) {
                log.debug("A client closed the connection before it received the response.", e);
                return;
            }
            log.error("A call failed.", e);
            answer(ProblemHandler.INTERNAL, response);
        }
    }

    private void answer(Problem problem, HttpServletResponse response) throws IOException {
        replace(problem, response, problems);
    }

    /** Replaces the response by a problem, unless the response has begun. */
    static void replace(Problem problem, HttpServletResponse response, ProblemWriter problems) throws IOException {
        if (!response.isCommitted()) {
            var id = response.getHeader(RequestIds.HEADER);
            response.reset();
            response.setHeader(RequestIds.HEADER, id);
            if (problem.code() == ProblemCode.TOO_MANY_REQUESTS) {
                response.setHeader(HttpHeaders.RETRY_AFTER, "1");
            }
            problems.write(problem, response);
        }
    }
}
