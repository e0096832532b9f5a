package berth.feeds;

import berth.http.ICalendar;
import berth.readings.Readings;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Makes the responses for calendar programs. */
final class CalendarResponses {

    /** The most entries in a response. */
    static final int MAX = 2000;

    /** How long a feed still contains a reservation or outage that has ended, in seconds. */
    static final long PAST = 30 * Readings.DAY;

    private static final MediaType CALENDAR = new MediaType("text", "calendar", StandardCharsets.UTF_8);

    private CalendarResponses() {}

    /**
     * Returns a calendar with at most {@link #MAX} entries.
     *
     * @param name name that calendar programs display
     * @param found the reservations or outages, the last to start first; one more than {@link #MAX} if there are more
     * @param state the state before these were read, as in {@link FeedTag}
     * @param until when the calendar next changes without an event, seconds since the epoch
     */
    static <T> ResponseEntity<byte[]> calendar(
            String name, List<T> found, Function<T, ICalendar.Entry> entry, String state, long until) {
        var cut = found.size() > MAX
                ? Optional.of("Only the latest %,d entries are shown; there are more.".formatted(MAX))
                : Optional.<String>empty();
        var body =
                ICalendar.write(name, cut, found.stream().limit(MAX).map(entry).toList());
        var tag = new FeedTag(state, until, FeedTag.digest(new String(body, StandardCharsets.UTF_8)));
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

    /** Adds the tag to a response. Calendar programs may keep the response but must check each time whether it is current. */
    static ResponseEntity.BodyBuilder tagged(ResponseEntity.BodyBuilder answer, FeedTag tag) {
        return answer.eTag(tag.header()).header(HttpHeaders.CACHE_CONTROL, "private, no-cache");
    }

    static List<String> ifNoneMatch(HttpServletRequest request) {
        return Collections.list(request.getHeaders(HttpHeaders.IF_NONE_MATCH));
    }

    /** Returns the start of the day of an instant, in UTC; both are seconds since the epoch. */
    static long beginOfDay(long second) {
        return second - Math.floorMod(second, Readings.DAY);
    }
}
