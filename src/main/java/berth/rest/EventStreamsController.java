package berth.rest;

import static berth.rest.ProblemCode.ELSEWHERE;

import berth.desk.Records;
import berth.desk.Records.RecordedEvent;
import berth.desk.StorageUnavailable;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.rest.EventFeed.Listener;
import berth.rest.EventFeed.News;
import berth.security.Account;
import berth.security.Accounts;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What happens, as it happens, as server-sent events. */
@RestController
class EventStreamsController {

    static final String LAST_EVENT_ID = "Last-Event-ID";

    private static final int PAGE = 200;
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** How soon it is noticed that the account has changed, or that the service ends. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** After that the client comes back, with the id of the last event. */
    private static final Duration LONGEST = Duration.ofMinutes(30);

    private final EventFeed feed;
    private final Records records;
    private final ReservationLookup lookup;
    private final Rights rights;
    private final Accounts accounts;

    EventStreamsController(
            EventFeed feed, Records records, ReservationLookup lookup, Rights rights, Accounts accounts) {
        this.feed = feed;
        this.records = records;
        this.lookup = lookup;
        this.rights = rights;
        this.accounts = accounts;
    }

    /** Whether a call is answered by a stream, which is bounded by itself. */
    static boolean isStream(HttpServletRequest request) {
        return request.getRequestURI().endsWith("/events/stream");
    }

    /** How far a listener has come. */
    private interface Position {

        /** What can be read behind it. */
        List<RecordedEvent> next();

        boolean isBefore(News news);

        void moveTo(ClusterId cluster, long sequence);

        /** For {@code Last-Event-ID}; null if it is the beginning. */
        @Nullable
        String id();
    }

    /** In the histories of all clusters. */
    private final class OfAll implements Position {
        private final EventScope scope;
        private EventCursor cursor;

        OfAll(EventScope scope, EventCursor cursor) {
            this.scope = scope;
            this.cursor = cursor;
        }

        @Override
        public List<RecordedEvent> next() {
            return scope.after(cursor, records, PAGE);
        }

        @Override
        public boolean isBefore(News news) {
            return cursor.positions().getOrDefault(news.cluster(), 0L) < news.sequence();
        }

        @Override
        public void moveTo(ClusterId cluster, long sequence) {
            cursor = cursor.at(cluster, sequence);
        }

        @Override
        public @Nullable String id() {
            return cursor.word();
        }
    }

    /** In the history of a reservation. */
    private final class OfOne implements Position {
        private final ReservationId reservation;
        private long sequence;

        OfOne(ReservationId reservation, long sequence) {
            this.reservation = reservation;
            this.sequence = sequence;
        }

        @Override
        public List<RecordedEvent> next() {
            return records.events(reservation, sequence, PAGE);
        }

        @Override
        public boolean isBefore(News news) {
            return sequence < news.sequence();
        }

        @Override
        public void moveTo(ClusterId cluster, long to) {
            sequence = to;
        }

        @Override
        public String id() {
            return Long.toString(sequence);
        }
    }

    /**
     * Tells what happens on all clusters, as it happens, as server-sent events. A client hears of its own reservations, and as a member of a project of
     * all that is filed under it, if asked for by {@code project}; an agent of its cluster. Each has the cursor behind it as its {@code id}, its type as its {@code event} and the same JSON as in the list of events as its
     * {@code data}. With neither {@code after} nor {@code Last-Event-ID} it begins now. Comments come every 15 seconds where nothing
     * happens. Who reads too slowly is cut off, and after half an hour everybody; whoever comes back with the last id misses nothing
     * and hears nothing twice.
     *
     * @param project only what happens to reservations that are filed under this project; the stream ends with the membership
     * @param after the cursor behind which it begins: the {@code next} of a list of events, or the id of an event here
     */
    @GetMapping(path = "/api/v1/events/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    void streamEvents(
            @RequestParam @Nullable String project,
            @RequestParam @Nullable String after,
            @RequestHeader(name = LAST_EVENT_ID, required = false) @Nullable String lastEventId,
            HttpServletRequest request,
            HttpServletResponse response,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields();
        var filed = fields.label("project", project);
        fields.check();
        var scope = rights.hears(account, filed);
        var begin = lastEventId == null ? after : lastEventId;
        var given = EventCursor.parse(begin);
        try (var listener = feed.listen(account.name(), scope::has)) {
            var cursor = scope.cut(begin == null ? new EventCursor(listener.since()) : given);
            BooleanSupplier mayHear =
                    () -> isUnchanged(account) && rights.hears(account, filed).equals(scope);
            stream(listener, new OfAll(scope, cursor), request, response, mayHear);
        }
    }

    /**
     * Tells what happens to a reservation, as it happens, as server-sent events; as the stream of all events does, but its ids are the
     * cursors of the list of the reservation's events.
     *
     * @param after the cursor behind which it begins
     */
    @GetMapping(path = "/api/v1/reservations/{id}/events/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Refuses(ELSEWHERE)
    void streamReservationEvents(
            @PathVariable String id,
            @RequestParam @Nullable String after,
            @RequestHeader(name = LAST_EVENT_ID, required = false) @Nullable String lastEventId,
            HttpServletRequest request,
            HttpServletResponse response,
            @AuthenticationPrincipal Account account) {
        var known = lookup.here(id, account);
        var reservation = known.id();
        var begin = lastEventId == null ? after : lastEventId;
        long given = begin == null ? 0 : Page.position(begin);
        Predicate<News> concerns = news -> news.reservation().equals(Optional.of(reservation));
        try (var listener = feed.listen(account.name(), concerns)) {
            var position = new OfOne(reservation, given);
            if (begin == null) {
                skip(position);
            }
            BooleanSupplier mayHear = () -> isUnchanged(account) && lookup.isShown(known, account);
            stream(listener, position, request, response, mayHear);
        }
    }

    /** Goes past all that can be read. */
    private static void skip(Position position) {
        for (var events = position.next(); !events.isEmpty(); events = position.next()) {
            position.moveTo(events.getLast().cluster(), events.getLast().sequence());
        }
    }

    /**
     * Reads what came before the listener began to listen, then hears the rest. What it hears and has read already it passes over:
     * within a cluster the histories are in order.
     */
    private void stream(
            Listener listener,
            Position position,
            HttpServletRequest request,
            HttpServletResponse response,
            BooleanSupplier mayHear) {
        long end = System.nanoTime() + LONGEST.toNanos();
        var first = position.next();
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8);
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        if (request.getMethod().equals("HEAD")) {
            return;
        }
        try {
            begin(position, response);
            for (var events = first; !events.isEmpty() && mayHear.getAsBoolean(); events = position.next()) {
                for (var event : events) {
                    tell(feed.news(event), position, response);
                }
                response.flushBuffer();
            }
            long quietSince = System.nanoTime();
            while (!listener.isOver() && System.nanoTime() < end && mayHear.getAsBoolean()) {
                var news = listener.next(LOOK);
                while (news != null && mayHear.getAsBoolean()) {
                    if (position.isBefore(news)) {
                        tell(news, position, response);
                    }
                    news = listener.next(Duration.ZERO);
                    quietSince = System.nanoTime();
                }
                if (System.nanoTime() - quietSince > HEARTBEAT.toNanos()) {
                    response.getOutputStream().write(new byte[] {':', '\n', '\n'});
                    quietSince = System.nanoTime();
                }
                response.flushBuffer();
            }
        } catch (IOException | StorageUnavailable e) {
            // whoever wants to hear the rest comes back
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isUnchanged(Account account) {
        return accounts.find(account.name())
                .filter(present -> present.version() == account.version())
                .isPresent();
    }

    /** Where it begins, so that who is cut off before anything has happened comes back there. */
    private static void begin(Position position, HttpServletResponse response) throws IOException {
        var id = position.id();
        write(response, "retry: 1000\n" + (id == null ? "" : "id: " + id + "\n") + "\n");
        response.flushBuffer();
    }

    private static void tell(News news, Position position, HttpServletResponse response) throws IOException {
        position.moveTo(news.cluster(), news.sequence());
        write(response, "id: %s\nevent: %s\ndata: %s\n\n".formatted(position.id(), news.type(), news.json()));
    }

    private static void write(HttpServletResponse response, String text) throws IOException {
        response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }
}
