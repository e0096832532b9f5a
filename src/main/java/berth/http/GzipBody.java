package berth.http;

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
 * Compresses the body of a response. JSON contains many random ids, between which a reference to a repetition of fewer than six bytes takes
 * more room than it saves. Such references are therefore left out of JSON.
 */
final class GzipBody extends GZIPOutputStream {

    private static final int LEVEL = 7;

    /** The smallest response worth compressing, in bytes. */
    private static final int MIN_SIZE = 2 << 10;

    private static final Set<String> TEXTS = Set.of(
            MediaType.APPLICATION_JSON_VALUE,
            MediaType.APPLICATION_PROBLEM_JSON_VALUE,
            MediaType.TEXT_HTML_VALUE,
            ICalendar.TYPE,
            "text/css",
            "text/javascript",
            "image/svg+xml");

    /** @param type the media type of the body */
    GzipBody(OutputStream out, String type) throws IOException {
        super(out, 8 << 10);
        def.setLevel(LEVEL);
        def.setStrategy(type.contains("json") ? Deflater.FILTERED : Deflater.DEFAULT_STRATEGY);
    }

    /** Releases the memory of the compressor. Nothing can be written afterwards, not even the trailer. */
    void end() {
        def.end();
    }

    /**
     * Returns whether to compress the response. A response with a strong tag is not compressed, because the tag promises its exact bytes;
     * nor is a partial response.
     *
     * @param size size in bytes
     */
    static boolean suits(HttpServletResponse answer, long size) {
        var type = answer.getContentType();
        var tag = answer.getHeader(HttpHeaders.ETAG);
        return size >= MIN_SIZE
                && type != null
                && TEXTS.contains(type.split(";", 2)[0].strip())
                && (tag == null || tag.startsWith("W/"))
                && answer.getStatus() != HttpServletResponse.SC_PARTIAL_CONTENT
                && answer.getHeader(HttpHeaders.CONTENT_ENCODING) == null;
    }

    /** Returns whether the client accepts gzip. */
    static boolean isAccepted(HttpServletRequest request) throws IOException {
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
