package berth.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.HttpStatus;
import org.springframework.util.DigestUtils;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** Caches documents that never change: each is written once, on the first request for it. The query string is ignored. */
public final class CachedDocuments extends OncePerRequestFilter {

    private final Map<String, Document> documents = new ConcurrentHashMap<>();

    private record Document(byte[] bytes, String type, String etag) {}

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            chain.doFilter(request, response);
            return;
        }
        var path = request.getServletPath();
        var kept = documents.get(path);
        var document = kept == null ? written(request, response, chain) : Optional.of(kept);
        document.ifPresent(known -> documents.put(path, known));
        if (document.isPresent() && !new ServletWebRequest(request, response).checkNotModified(document.get().etag)) {
            response.setContentType(document.get().type);
            response.setContentLength(document.get().bytes.length);
            response.getOutputStream().write(document.get().bytes);
        }
    }

    /**
     * Writes the document for its first reader and returns it. If the response is not the document, sends that response and returns empty.
     */
    private static Optional<Document> written(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        var answer = new ContentCachingResponseWrapper(response);
        chain.doFilter(request, answer);
        var bytes = answer.getContentAsByteArray();
        if (request.getMethod().equals("GET") && answer.getStatus() == HttpStatus.OK.value() && bytes.length > 0) {
            var etag = "\"%s\"".formatted(DigestUtils.md5DigestAsHex(bytes));
            return Optional.of(new Document(bytes, Objects.requireNonNull(answer.getContentType()), etag));
        }
        answer.copyBodyToResponse();
        return Optional.empty();
    }
}
