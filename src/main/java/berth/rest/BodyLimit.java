package berth.rest;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses bodies that are announced as larger than any call needs; others are as they are read ({@link BufferedBody}). */
final class BodyLimit extends OncePerRequestFilter {

    /** In bytes. */
    static final int MAX = 64 << 10;

    /** For all that an outside batch system, or an agent, tells at once. */
    static final int MAX_OF_A_LIST = 8 << 20;

    private static final Pattern LIST = Pattern.compile("/api/v1/clusters/[^/]+/(jobs|enforcement|outages/[^/]+)");

    private final ProblemWriter problems;

    BodyLimit(ProblemWriter problems) {
        this.problems = problems;
    }

    /** The problem of a body of more than {@code most} bytes. */
    static Problem problem(int most) {
        return new Problem(ProblemCode.TOO_LARGE, "Send a body of at most %d bytes.".formatted(most));
    }

    /** How many bytes the body of a request may have. */
    static int most(HttpServletRequest request) {
        boolean isList = request.getMethod().equals("PUT")
                && LIST.matcher(request.getRequestURI()).matches();
        return isList ? MAX_OF_A_LIST : MAX;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        int most = most(request);
        if (request.getContentLengthLong() > most) {
            problems.write(problem(most), response);
        } else {
            chain.doFilter(request, response);
        }
    }
}
