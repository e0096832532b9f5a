package berth.http;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.net.ApplicationBufferHandler;

/**
 * Reads and discards the unread rest of a request body, so that the client can receive the response. Time and size are bounded. The valve
 * also closes the connection of a request that was given up.
 */
public final class SlowClients extends ValveBase {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The largest number of bytes to discard. */
    private static final long MAX = 64L << 20;

    private static final String GIVEN_UP = SlowClients.class.getName() + ".givenUp";

    public SlowClients() {
        super(true);
    }

    /** Makes the connection of a request close when the request ends. */
    static void giveUp(HttpServletRequest request) {
        request.setAttribute(GIVEN_UP, true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        try {
            getNext().invoke(request, response);
        } finally {
            if (request.getAttribute(GIVEN_UP) != null) {
                end(request, response);
            } else if (isUnread(request)) {
                response.flushBuffer();
                if (!discardRest(request)) {
                    request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
                }
            }
        }
    }

    private static void end(Request request, Response response) throws IOException {
        response.flushBuffer();
        request.getCoyoteRequest().action(ActionCode.CLOSE_NOW, null);
    }

    private static boolean isUnread(Request request) {
        var coyote = request.getCoyoteRequest();
        return hasBody(request) && !coyote.hasExpectation() && !request.isFinished();
    }

    private static boolean hasBody(Request request) {
        try {
            return request.getCoyoteRequest().getContentLengthLong() > 0
                    || request.getHeader("Transfer-Encoding") != null;
        } catch (IllegalArgumentException e) {
            // several lengths: the server has rejected the request and closes its connection
            return false;
        }
    }

    /** Discards the rest of the body; returns whether its end was reached in time. */
    private static boolean discardRest(Request request) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        var rest = new Discarded();
        long passed = 0;
        try {
            while (passed < MAX && System.nanoTime() < end) {
                int got = request.getCoyoteRequest().doRead(rest);
                if (got < 0) {
                    return true;
                }
                passed += got;
            }
        } catch (IOException e) {
            // the client has gone, and waits for no response
        }
        return false;
    }

    /** A buffer whose content is ignored. */
    private static final class Discarded implements ApplicationBufferHandler {
        private ByteBuffer buffer = ByteBuffer.allocate(0);

        @Override
        public void setByteBuffer(ByteBuffer given) {
            buffer = given;
        }

        @Override
        public ByteBuffer getByteBuffer() {
            return buffer;
        }

        @Override
        public void expand(int size) {
            // there is nothing to keep
        }
    }
}
