package berth.rest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.util.Collections;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.tomcat.util.http.parser.AcceptEncoding;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/**
 * Compresses an answer for random ids: what repeats for less than six bytes is written out, since to point back at it takes more than it
 * saves where such ids stand between.
 */
final class IdGzipStream extends GZIPOutputStream {

    private static final int LEVEL = 7;

    /** In bytes; what is smaller gains too little. */
    private static final int LEAST = 2 << 10;

    private static final Set<String> TEXTS = Set.of(
            MediaType.APPLICATION_JSON_VALUE,
            MediaType.APPLICATION_PROBLEM_JSON_VALUE,
            MediaType.TEXT_HTML_VALUE,
            ICalendar.TYPE,
            "text/css",
            "text/javascript",
            "image/svg+xml");

    IdGzipStream(OutputStream out) throws IOException {
        super(out, 8 << 10);
        def.setLevel(LEVEL);
        def.setStrategy(Deflater.FILTERED);
    }

    /** Lets go of what it takes; nothing more is written, the end neither. */
    void end() {
        def.end();
    }

    /**
     * Whether it is worth it. Not where a strong tag promises these bytes, nor of a part of them.
     *
     * @param size in bytes
     */
    static boolean suits(HttpServletResponse answer, long size) {
        var type = answer.getContentType();
        var tag = answer.getHeader(HttpHeaders.ETAG);
        return size >= LEAST
                && type != null
                && TEXTS.contains(type.split(";", 2)[0].strip())
                && (tag == null || tag.startsWith("W/"))
                && answer.getStatus() != HttpServletResponse.SC_PARTIAL_CONTENT
                && answer.getHeader(HttpHeaders.CONTENT_ENCODING) == null;
    }

    /** Whether the client says that it reads what is compressed so. */
    static boolean isRead(HttpServletRequest request) throws IOException {
        for (var header : Collections.list(request.getHeaders(HttpHeaders.ACCEPT_ENCODING))) {
            for (var encoding : AcceptEncoding.parse(new StringReader(header))) {
                if (encoding.getEncoding().equalsIgnoreCase("gzip")) {
                    return encoding.getQuality() > 0;
                }
            }
        }
        return false;
    }
}
