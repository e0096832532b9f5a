package berth.rest;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** How calendar programs are answered. */
final class Feeds {

    /** How many entries an answer has at the most. */
    static final int MAX = 2000;

    /** For how long what has ended is told, in seconds. */
    static final long PAST = 30 * Readings.DAY;

    /** How long a reading waits for its turn. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final MediaType CALENDAR = new MediaType("text", "calendar", StandardCharsets.UTF_8);

    private Feeds() {}

    /**
     * All that is to be told.
     *
     * @param name as programs show it
     * @param found the last to start first; one more than {@link #MAX} if there are more
     */
    static <T> ResponseEntity<byte[]> calendar(
            String name, List<T> found, Function<T, ICalendar.Entry> entry, FeedTag tag) {
        var cut = found.size() > MAX
                ? Optional.of("Only the latest %,d are told; there are more.".formatted(MAX))
                : Optional.<String>empty();
        var body =
                ICalendar.write(name, cut, found.stream().limit(MAX).map(entry).toList());
        return tagged(ResponseEntity.ok(), tag)
                .contentType(CALENDAR)
                .header(
                        HttpHeaders.CONTENT_DISPOSITION,
                        ContentDisposition.inline()
                                .filename("berth.ics")
                                .build()
                                .toString())
                .body(body);
    }

    static ResponseEntity<byte[]> unchanged(FeedTag tag) {
        return tagged(ResponseEntity.status(HttpStatus.NOT_MODIFIED), tag).build();
    }

    /** A program may keep it, and asks each time whether it is still good. */
    static ResponseEntity.BodyBuilder tagged(ResponseEntity.BodyBuilder answer, FeedTag tag) {
        return answer.eTag(tag.header()).header(HttpHeaders.CACHE_CONTROL, "private, no-cache");
    }

    static List<String> ifNoneMatch(HttpServletRequest request) {
        return Collections.list(request.getHeaders(HttpHeaders.IF_NONE_MATCH));
    }

    /** When the day of a second began, in UTC. */
    static long beginOfDay(long second) {
        return second - Math.floorMod(second, Readings.DAY);
    }
}
