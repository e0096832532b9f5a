package berth.rest;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses bodies that no call needs, before they are kept in memory: announced ones at once, others as they are read. */
final class BodyLimit extends OncePerRequestFilter {

    /** In bytes. */
    static final int MOST = 1 << 20;

    /** For the whole queue of an outside batch system. */
    static final int MOST_OF_A_QUEUE = 8 << 20;

    private static final Pattern QUEUE = Pattern.compile("/api/v1/clusters/[^/]+/jobs");

    private static final String READ = BodyLimit.class.getName() + ".read";

    private final ProblemWriter problems;

    BodyLimit(ProblemWriter problems) {
        this.problems = problems;
    }

    /** The body goes on beyond the limit. */
    static final class Exceeded extends IOException {
        private final int most;

        Exceeded(int most) {
            super("The body has more than %d bytes.".formatted(most));
            this.most = most;
        }

        Problem problem() {
            return BodyLimit.problem(most);
        }
    }

    /** The problem of a body of more than {@code most} bytes. */
    static Problem problem(int most) {
        return new Problem(ProblemCode.TOO_LARGE, "Send a body of at most %d bytes.".formatted(most));
    }

    private static int most(HttpServletRequest request) {
        boolean isQueue = request.getMethod().equals("PUT")
                && QUEUE.matcher(request.getRequestURI()).matches();
        return isQueue ? MOST_OF_A_QUEUE : MOST;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        int most = most(request);
        if (request.getContentLengthLong() > most) {
            problems.write(problem(most), response);
        } else {
            chain.doFilter(new Limited(request, most), response);
        }
    }

    private static final class Limited extends HttpServletRequestWrapper {
        private final int most;
        private @Nullable ServletInputStream stream;

        Limited(HttpServletRequest request, int most) {
            super(request);
            this.most = most;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            if (stream == null) {
                var limited = new LimitedStream(super.getInputStream(), most);
                setAttribute(READ, limited.copy);
                stream = limited;
            }
            return stream;
        }
    }

    /** What was read of the body of a request. */
    static byte[] read(HttpServletRequest request) {
        return request.getAttribute(READ) instanceof ByteArrayOutputStream copy ? copy.toByteArray() : new byte[0];
    }

    private static final class LimitedStream extends ServletInputStream {
        private final ServletInputStream body;
        private final int most;

        /** Kept for the answer to a body that is wrong. */
        private final ByteArrayOutputStream copy = new ByteArrayOutputStream();

        LimitedStream(ServletInputStream body, int most) {
            this.body = body;
            this.most = most;
        }

        @Override
        public int read() throws IOException {
            int next = body.read();
            if (next >= 0) {
                copy.write(next);
                check();
            }
            return next;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int got = body.read(buffer, offset, length);
            if (got > 0) {
                copy.write(buffer, offset, got);
                check();
            }
            return got;
        }

        private void check() throws Exceeded {
            if (copy.size() > most) {
                throw new Exceeded(most);
            }
        }

        @Override
        public boolean isFinished() {
            return body.isFinished();
        }

        @Override
        public boolean isReady() {
            return body.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            body.setReadListener(listener);
        }
    }
}
