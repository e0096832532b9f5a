package berth.events;

import static berth.http.ProblemCode.ELSEWHERE;

import berth.accounts.Account;
import berth.accounts.Accounts;
import berth.booking.web.ReservationLookup;
import berth.booking.web.Rights;
import berth.engine.Records;
import berth.engine.Records.RecordedEvent;
import berth.events.EventStreams.Listener;
import berth.events.EventStreams.News;
import berth.http.Fields;
import berth.http.Page;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.Refuses;
import berth.http.Texts;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.runtime.StorageUnavailable;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Calls that stream events as they happen, as server-sent events. */
@RestController
class EventStreamsController {

    static final String LAST_EVENT_ID = "Last-Event-ID";

    private static final int PAGE = 200;
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** The interval at which a stream checks whether the account has changed or the service is stopping. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    /** The longest duration of a stream. After that the client reconnects with the id of the last event. */
    private static final Duration MAX_DURATION = Duration.ofMinutes(30);

    private final EventStreams streams;
    private final Records records;
    private final ReservationLookup lookup;
    private final Rights rights;
    private final Accounts accounts;

    EventStreamsController(
            EventStreams streams, Records records, ReservationLookup lookup, Rights rights, Accounts accounts) {
        this.streams = streams;
        this.records = records;
        this.lookup = lookup;
        this.rights = rights;
        this.accounts = accounts;
    }

    /** Position of a listener. */
    private interface Position {

        /** Returns the events after this position that can be read now, oldest first. */
        List<RecordedEvent> next();

        boolean isBefore(News news);

        void moveTo(ClusterId cluster, long sequence);

        /** Returns the id for {@code Last-Event-ID}; null at the beginning. */
        @Nullable
        String id();
    }

    /** A position in the histories of all clusters. */
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

    /** A position in the history of one reservation. */
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
     * Streams the events of all clusters as they happen, as server-sent events. A client receives the events of its own reservations. With
     * {@code project}, a member of that project receives the events of everything filed under it. An agent receives the events of its
     * cluster. A screen receives for each event only {@code changed} with the {@code cluster}, so that it can read the schedule again.
     *
     * <p>The {@code id} of each event is the cursor after it, its {@code event} is its type, and its {@code data} is the same JSON as in
     * the list of events. Without {@code after} and {@code Last-Event-ID} the stream begins now. While nothing happens, it sends a comment
     * every 15 seconds. The service ends a stream after half an hour, or earlier if the client reads too slowly. A client that reconnects
     * with the last id neither misses an event nor receives one twice.
     *
     * @param project only events of reservations filed under this project; the stream ends when the account is no longer a member
     * @param after the cursor after which to begin: {@code next} of a list of events, or the id of a streamed event
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
        var scope = EventScope.of(account, filed, rights);
        var given = begin(lastEventId, after, EventCursor::parse);
        try (var listener = streams.listen(account.name(), scope::has)) {
            var cursor = scope.cut(given.orElseGet(() -> new EventCursor(listener.since())));
            BooleanSupplier mayHear = () -> isUnchanged(account)
                    && EventScope.of(account, filed, rights).equals(scope);
            Teller teller = account.isScreen() ? EventStreamsController::tellCluster : EventStreamsController::tell;
            stream(listener, new OfAll(scope, cursor), request, response, mayHear, teller);
        }
    }

    /**
     * Streams the events of a reservation as they happen, as server-sent events. It works like the stream of all events, but its ids are
     * cursors of the reservation's list of events.
     *
     * @param after the cursor after which to begin
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
        var given = begin(lastEventId, after, Page::position);
        Predicate<News> concerns = news -> news.reservation().equals(Optional.of(reservation));
        try (var listener = streams.listen(account.name(), concerns)) {
            var position = new OfOne(reservation, given.orElse(0L));
            if (given.isEmpty()) {
                skip(position);
            }
            BooleanSupplier mayHear = () -> isUnchanged(account) && lookup.isShown(known, account);
            stream(listener, position, request, response, mayHear, EventStreamsController::tell);
        }
    }

    /**
     * Reads the cursor after which a stream begins; empty if it begins now. A client that has received no event may send an empty
     * {@code Last-Event-ID}, which counts as none.
     */
    private static <C> Optional<C> begin(
            @Nullable String lastEventId, @Nullable String after, Function<String, C> read) {
        if (lastEventId == null || lastEventId.isEmpty()) {
            return Optional.ofNullable(after)
                    .filter(cursor -> !cursor.isEmpty())
                    .map(read);
        }
        try {
            return Optional.of(read.apply(lastEventId));
        } catch (Problem e) {
            throw Problem.field(
                    ProblemCode.MALFORMED,
                    LAST_EVENT_ID,
                    Texts.shown(lastEventId),
                    "is not the id of an event of this stream; leave it out to begin now");
        }
    }

    /** Moves the position past everything that can be read now. */
    private static void skip(Position position) {
        for (var events = position.next(); !events.isEmpty(); events = position.next()) {
            position.moveTo(events.getLast().cluster(), events.getLast().sequence());
        }
    }

    /**
     * Reads the events from before the listener was added, then sends what the listener receives. Events that it has already read are
     * skipped, which works because the history of each cluster is in order.
     */
    private void stream(
            Listener listener,
            Position position,
            HttpServletRequest request,
            HttpServletResponse response,
            BooleanSupplier mayHear,
            Teller teller) {
        long end = System.nanoTime() + MAX_DURATION.toNanos();
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
                    teller.tell(streams.news(event), position, response);
                }
                response.flushBuffer();
            }
            long quietSince = System.nanoTime();
            while (!listener.isOver() && System.nanoTime() < end && mayHear.getAsBoolean()) {
                var news = listener.next(CHECK_INTERVAL);
                while (news != null && mayHear.getAsBoolean()) {
                    if (position.isBefore(news)) {
                        teller.tell(news, position, response);
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
        } catch (StorageUnavailable e) {
            // a client that wants the rest reconnects
        } catch (IOException e) {
            // likewise, unless the client has gone
            if (NestedExceptionUtils.getMostSpecificCause(e) instanceof SocketTimeoutException) {
                listener.cutOff();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isUnchanged(Account account) {
        return accounts.find(account.name())
                .filter(present -> present.version() == account.version())
                .isPresent();
    }

    /** Sends the initial position, so that a client that is cut off before the first event reconnects there. */
    private static void begin(Position position, HttpServletResponse response) throws IOException {
        var id = position.id();
        write(response, "retry: 1000\n" + (id == null ? "" : "id: " + id + "\n") + "\n");
        response.flushBuffer();
    }

    /** Sends an event. */
    private interface Teller {
        void tell(News news, Position position, HttpServletResponse response) throws IOException;
    }

    private static void tell(News news, Position position, HttpServletResponse response) throws IOException {
        position.moveTo(news.cluster(), news.sequence());
        write(response, "id: %s\nevent: %s\ndata: %s\n\n".formatted(position.id(), news.type(), news.json()));
    }

    /** Sends only that something has happened on the cluster. */
    private static void tellCluster(News news, Position position, HttpServletResponse response) throws IOException {
        position.moveTo(news.cluster(), news.sequence());
        write(
                response,
                "id: %s\nevent: changed\ndata: {\"cluster\":\"%s\"}\n\n".formatted(position.id(), news.cluster()));
    }

    private static void write(HttpServletResponse response, String text) throws IOException {
        response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }
}
