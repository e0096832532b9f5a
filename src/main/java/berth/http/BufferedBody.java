package berth.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, read to its end on first access. While a slow client sends its body, the service therefore keeps only the bytes
 * and no objects made from them. Reading fails if the body is not complete within a given time.
 */
public final class BufferedBody extends ServletInputStream {

    /** How long most calls may take to send their body, from the first read. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration PATIENCE_WITH_A_QUEUE = Duration.ofSeconds(60);

    /** Estimated ratio of the size of the objects made from a small body to the size of the body. */
    private static final int OBJECT_BYTES_PER_BYTE = 8;

    private static final String READ = BufferedBody.class.getName();

    private final byte[] bytes;
    private int at;

    private BufferedBody(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Thrown if the body cannot be read; the problem says why. */
    public static final class NotRead extends IOException {
        private final transient Problem problem;

        NotRead(Problem problem) {
            super(problem.getMessage());
            this.problem = problem;
        }

        public Problem problem() {
            return problem;
        }
    }

    /** A request whose body is read as a whole. */
    public static final class Request extends HttpServletRequestWrapper {
        private final CallsUnderWay.Call call;
        private @Nullable BufferedBody stream;

        public Request(HttpServletRequest request, CallsUnderWay.Call call) {
            super(request);
            this.call = call;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            if (stream == null) {
                var body = read();
                setAttribute(READ, body);
                stream = new BufferedBody(body);
            }
            return stream;
        }

        /**
         * Returns whether the body is a list of more bytes than most calls may send. Reads the whole body if the call may send such a list.
         *
         * @throws NotRead if the body cannot be read
         */
        boolean isLongList() throws IOException {
            if (BodyLimit.most(this) == BodyLimit.MAX) {
                return false;
            }
            return getInputStream() instanceof BufferedBody body && body.bytes.length > BodyLimit.MAX;
        }

        private byte[] read() throws IOException {
            int most = BodyLimit.most(this);
            long end = System.nanoTime() + (most > BodyLimit.MAX ? PATIENCE_WITH_A_QUEUE : PATIENCE).toNanos();
            var body = super.getInputStream();
            var read = new byte[CallsUnderWay.FREE];
            int size = 0;
            while (true) {
                int got = readSome(body, read, size);
                if (got < 0) {
                    return Arrays.copyOf(read, size);
                }
                size += got;
                if (size > most) {
                    throw new NotRead(BodyLimit.problem(most));
                }
                if (System.nanoTime() > end) {
                    throw late(this);
                }
                if (size == read.length) {
                    read = longer(read, most);
                }
            }
        }

        private int readSome(ServletInputStream body, byte[] into, int from) throws IOException {
            try {
                return body.read(into, from, into.length - from);
            } catch (SocketTimeoutException e) {
                throw late(this);
            }
        }

        private byte[] longer(byte[] full, int most) throws NotRead {
            int size = Math.min(2 * full.length, most + 1);
            int further = size - full.length;
            if (!call.hold(full.length < BodyLimit.MAX ? (long) further * OBJECT_BYTES_PER_BYTE : further)) {
                throw new NotRead(AccountShare.NO_ROOM);
            }
            return Arrays.copyOf(full, size);
        }
    }

    private static NotRead late(HttpServletRequest request) {
        SlowClients.giveUp(request);
        return new NotRead(new Problem(
                ProblemCode.MALFORMED, "The body did not arrive completely in time. Send all of it at once."));
    }

    /** Returns the bytes of the body that was read; empty if no body was read. */
    public static byte[] read(HttpServletRequest request) {
        return request.getAttribute(READ) instanceof byte[] read ? read : new byte[0];
    }

    @Override
    public int read() {
        return at < bytes.length ? bytes[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
        if (at == bytes.length) {
            return length == 0 ? 0 : -1;
        }
        int got = Math.min(length, bytes.length - at);
        System.arraycopy(bytes, at, buffer, offset, got);
        at += got;
        return got;
    }

    @Override
    public boolean isFinished() {
        return at == bytes.length;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
        throw new IllegalStateException("The body is read at once.");
    }
}
