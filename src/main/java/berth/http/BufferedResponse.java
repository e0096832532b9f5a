package berth.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.FilterOutputStream;
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
 * A response that is buffered and sent when it is complete. While a slow client reads it, the service therefore keeps only the bytes and
 * not the objects that they were made from. The response is compressed if the client accepts that.
 */
final class BufferedResponse extends HttpServletResponseWrapper {

    /** How long a client may take to read a response. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int MAX_PIECE = 64 << 10;

    private final CallsUnderWay.Call call;
    private Buffer stream = new Buffer();
    private @Nullable PrintWriter writer;

    BufferedResponse(HttpServletResponse response, CallsUnderWay.Call call) {
        super(response);
        this.call = call;
    }

    /** Returns whether there was room for everything that was written. */
    boolean hasRoom() {
        return stream.hasRoom;
    }

    /** Returns whether nothing has been written. */
    boolean isEmpty() {
        return stream.pieces.isEmpty();
    }

    /** Completes the response: compresses it, if the client accepts that. */
    void complete(HttpServletRequest request) throws IOException {
        if (writer != null) {
            writer.flush();
        }
        if (super.isCommitted() || stream.pieces.isEmpty() || !GzipBody.suits(this, stream.size())) {
            return;
        }
        addHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
        if (GzipBody.isAccepted(request)) {
            setHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
            var plain = stream;
            stream = new Buffer();
            var zipped = new GzipBody(stream, getContentType());
            try {
                plain.drainTo(zipped);
                zipped.finish();
            } finally {
                zipped.end();
            }
        }
    }

    /** Sends the completed response. Gives up if the client does not read it in time. */
    void send(HttpServletRequest request) throws IOException {
        if (super.isCommitted() || stream.pieces.isEmpty()) {
            return;
        }
        setContentLengthLong(stream.size());
        long end = System.nanoTime() + PATIENCE.toNanos();
        stream.drainTo(new FilterOutputStream(super.getOutputStream()) {
            @Override
            public void write(byte[] piece, int offset, int length) throws IOException {
                if (System.nanoTime() > end) {
                    SlowClients.giveUp(request);
                    throw new ClientAbortException("The client did not read the response in time.");
                }
                out.write(piece, offset, length);
            }
        });
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

    private final class Buffer extends ServletOutputStream {
        /** All pieces but the last are full. */
        private final Deque<byte[]> pieces = new ArrayDeque<>();

        private int used;
        private long full;
        private boolean hasRoom = true;

        private long size() {
            return full + used;
        }

        /** Writes everything to {@code out}, and forgets it. */
        private void drainTo(OutputStream out) throws IOException {
            for (var piece = pieces.poll(); piece != null; piece = pieces.poll()) {
                out.write(piece, 0, pieces.isEmpty() ? used : piece.length);
            }
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

        /**
         * Adds a new, empty piece to the end; {@code last} is the piece before it, or null if there is none. If there is no room for it, drops everything written so far, because an incomplete response is
         * never sent.
         */
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
            throw new IllegalStateException("This response does not support asynchronous writes.");
        }
    }
}
