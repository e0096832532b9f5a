package berth.rest;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * An answer that is written here first and sent when it is whole, so that whoever reads it slowly holds its bytes and nothing of what
 * they were made of. It is compressed for those who read that.
 */
final class BufferedResponse extends HttpServletResponseWrapper {

    /** How long an answer may take to be read. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int MAX_PIECE = 64 << 10;

    private final CallsUnderWay.Call call;
    private final Held stream = new Held();
    private @Nullable PrintWriter writer;

    BufferedResponse(HttpServletResponse response, CallsUnderWay.Call call) {
        super(response);
        this.call = call;
    }

    /** Whether there was room for all that was written. */
    boolean hasRoom() {
        return stream.hasRoom;
    }

    /** Sends what was written; gives up on whoever does not read it in time. */
    void send(HttpServletRequest request) throws IOException {
        if (writer != null) {
            writer.flush();
        }
        if (super.isCommitted() || stream.pieces.isEmpty()) {
            return;
        }
        if (IdGzipStream.suits(this, stream.size())) {
            addHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
            if (IdGzipStream.isRead(request)) {
                setHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
                setContentLengthLong(-1);
                var zipped = new IdGzipStream(super.getOutputStream());
                try {
                    send(zipped, request);
                    zipped.finish();
                } finally {
                    zipped.end();
                }
                return;
            }
        }
        setContentLengthLong(stream.size());
        send(super.getOutputStream(), request);
    }

    private void send(OutputStream out, HttpServletRequest request) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (var piece = stream.pieces.poll(); piece != null; piece = stream.pieces.poll()) {
            if (System.nanoTime() > end) {
                SlowClients.giveUp(request);
                throw new ClientAbortException("The answer was not read in time.");
            }
            out.write(piece, 0, stream.pieces.isEmpty() ? stream.used : piece.length);
        }
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return stream;
    }

    @Override
    public PrintWriter getWriter() {
        if (writer == null) {
            writer = new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
        }
        return writer;
    }

    @Override
    public void flushBuffer() {
        if (writer != null) {
            writer.flush();
        }
    }

    @Override
    public void resetBuffer() {
        stream.clear();
        writer = null;
        super.resetBuffer();
    }

    @Override
    public void reset() {
        stream.clear();
        writer = null;
        super.reset();
    }

    @Override
    public void sendError(int status) throws IOException {
        stream.clear();
        super.sendError(status);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        stream.clear();
        super.sendError(status, message);
    }

    private final class Held extends ServletOutputStream {
        /** All but the last are full. */
        private final Deque<byte[]> pieces = new ArrayDeque<>();

        private int used;
        private long full;
        private boolean hasRoom = true;

        private long size() {
            return full + used;
        }

        private void clear() {
            pieces.clear();
            used = 0;
            full = 0;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            int done = 0;
            while (done < length && hasRoom) {
                var last = pieces.peekLast();
                if (last == null || used == last.length) {
                    add(last);
                    continue;
                }
                int some = Math.min(length - done, last.length - used);
                System.arraycopy(bytes, offset + done, last, used, some);
                used += some;
                done += some;
            }
        }

        /** What has no room is dropped with all that was before it: nobody will read it. */
        private void add(byte @Nullable [] last) {
            if (last == null) {
                pieces.add(new byte[CallsUnderWay.FREE]);
                return;
            }
            int size = Math.min(2 * last.length, MAX_PIECE);
            if (call.hold(size)) {
                full += last.length;
                used = 0;
                pieces.add(new byte[size]);
            } else {
                hasRoom = false;
                clear();
            }
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new IllegalStateException("The answer is written at once.");
        }
    }
}
