package berth.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Rejects requests whose declared body length exceeds what any call needs. Bodies without a declared length are checked as they are read
 * ({@link BufferedBody}).
 */
public final class BodyLimit extends OncePerRequestFilter {

    /** Largest body of most calls, in bytes. */
    public static final int MAX = 64 << 10;

    /** Largest body of a list that an outside batch system, an agent or another program of the site sends in one call, in bytes. */
    public static final int MAX_OF_A_LIST = 8 << 20;

    private static final Pattern LIST =
            Pattern.compile("/api/v1/clusters/[^/]+/(jobs|enforcement|outages/[^/]+|signal)");

    private final ProblemWriter problems;

    public BodyLimit(ProblemWriter problems) {
        this.problems = problems;
    }

    /** Returns the problem for a body of more than {@code most} bytes. */
    public static Problem problem(int most) {
        return new Problem(ProblemCode.TOO_LARGE, "Send a body of at most %d bytes.".formatted(most));
    }

    /** Returns the largest number of bytes that the body of the request may have. */
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
