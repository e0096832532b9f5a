package berth.rest;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses bodies that no call needs, before they are kept in memory: announced ones at once, others as they are read. */
final class BodyLimit extends OncePerRequestFilter {

    /** In bytes. */
    static final int MOST = 1 << 20;

    static final Problem PROBLEM =
            new Problem(ProblemCode.TOO_LARGE, "Send a body of at most %d bytes.".formatted(MOST));

    private final ProblemWriter problems;

    BodyLimit(ProblemWriter problems) {
        this.problems = problems;
    }

    /** The body goes on beyond the limit. */
    static final class Exceeded extends IOException {
        Exceeded() {
            super("The body has more than %d bytes.".formatted(MOST));
        }
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getContentLengthLong() > MOST) {
            problems.write(PROBLEM, response);
        } else {
            chain.doFilter(new Limited(request), response);
        }
    }

    private static final class Limited extends HttpServletRequestWrapper {
        private @Nullable ServletInputStream stream;

        Limited(HttpServletRequest request) {
            super(request);
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            if (stream == null) {
                stream = new LimitedStream(super.getInputStream());
            }
            return stream;
        }
    }

    private static final class LimitedStream extends ServletInputStream {
        private final ServletInputStream body;
        private int read;

        LimitedStream(ServletInputStream body) {
            this.body = body;
        }

        @Override
        public int read() throws IOException {
            int next = body.read();
            count(next < 0 ? 0 : 1);
            return next;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int got = body.read(buffer, offset, length);
            count(Math.max(0, got));
            return got;
        }

        private void count(int bytes) throws Exceeded {
            read += bytes;
            if (read > MOST) {
                throw new Exceeded();
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
