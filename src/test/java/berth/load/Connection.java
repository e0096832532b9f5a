package berth.load;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * An HTTP/1.1 connection that sends one request after another. Of each response it interprets only the status and the length, so that the
 * client leaves the processor to the service; java.net.http takes several times as much.
 */
final class Connection implements AutoCloseable {
    private static final int MAX_LINE = 64 * 1024;

    private final Socket socket;
    private final InputStream in;
    private boolean isUsable = true;

    private Connection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * Connects.
     *
     * @param address http or https
     * @param patience the longest wait for the connection and for each read
     */
    static Connection open(URI address, Duration patience) throws IOException {
        boolean isSecure = "https".equalsIgnoreCase(address.getScheme());
        int port = address.getPort() < 0 ? (isSecure ? 443 : 80) : address.getPort();
        Socket plain = new Socket();
        try {
            plain.setTcpNoDelay(true);
            plain.setSoTimeout((int) patience.toMillis());
            plain.connect(new InetSocketAddress(address.getHost(), port), (int) patience.toMillis());
            return new Connection(isSecure ? secured(plain, address.getHost(), port) : plain);
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    private static Socket secured(Socket plain, String host, int port) throws IOException {
        var factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        var socket = (SSLSocket) factory.createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        return socket;
    }

    /** Sends a request, reads the whole response and returns its status. */
    int send(byte[] request) throws IOException {
        isUsable = false;
        socket.getOutputStream().write(request);
        String statusLine = line();
        int status = statusOf(statusLine);
        boolean isLast = false;
        boolean isChunked = false;
        long length = 0;
        for (String header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            String value = header.substring(colon + 1).strip().toLowerCase(Locale.ROOT);
            switch (header.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT)) {
                case "connection" -> isLast = value.equals("close");
                case "transfer-encoding" -> isChunked = value.equals("chunked");
                case "content-length" -> length = number(value, 10);
                default -> {}
            }
        }
        if (isChunked) {
            skipChunks();
        } else {
            in.skipNBytes(length);
        }
        isUsable = !isLast;
        return status;
    }

    /** Returns whether another request can be sent: the last response is complete and the server has not asked to close the connection. */
    boolean isUsable() {
        return isUsable;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private static int statusOf(String line) throws ProtocolException {
        if (!line.matches("HTTP/1\\.1 \\d{3}( .*)?")) {
            throw new ProtocolException("no HTTP/1.1");
        }
        return Integer.parseInt(line, 9, 12, 10);
    }

    private void skipChunks() throws IOException {
        for (long size = chunk(); size > 0; size = chunk()) {
            in.skipNBytes(size + 2);
        }
        while (!line().isEmpty()) {
            // ignore the trailers after the last chunk
        }
    }

    private long chunk() throws IOException {
        return number(line().split(";", 2)[0].strip(), 16);
    }

    private static long number(String text, int radix) throws ProtocolException {
        try {
            return Long.parseLong(text, radix);
        } catch (NumberFormatException e) {
            throw new ProtocolException("a length of '%s'".formatted(text));
        }
    }

    private String line() throws IOException {
        var line = new StringBuilder(64);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("closed by the other side");
            }
            if (line.length() == MAX_LINE) {
                throw new ProtocolException("a line without an end");
            }
            line.append((char) next);
        }
        int end = line.length() - 1;
        return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
    }

    /** Returns a request; without a body if {@code body} is empty. */
    static byte[] request(String method, URI address, String headers, String body) {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        byte[] head = "%s %s HTTP/1.1\r\nHost: %s\r\n%sContent-Length: %d\r\n\r\n"
                .formatted(method, address.getRawPath(), address.getRawAuthority(), headers, content.length)
                .getBytes(StandardCharsets.US_ASCII);
        byte[] request = new byte[head.length + content.length];
        System.arraycopy(head, 0, request, 0, head.length);
        System.arraycopy(content, 0, request, head.length, content.length);
        return request;
    }
}
