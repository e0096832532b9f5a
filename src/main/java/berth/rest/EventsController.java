package berth.rest;

import berth.desk.Records;
import berth.desk.Records.RecordedEvent;
import berth.security.Account;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Calls that list the events of all clusters, oldest first. */
@RestController
class EventsController {

    /** The interval at which a waiting call checks whether the service is stopping. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final Records records;
    private final EventFeed feed;
    private final Rights rights;

    EventsController(Records records, EventFeed feed, Rights rights) {
        this.records = records;
        this.feed = feed;
        this.rights = rights;
    }

    /**
     * Lists the events of all clusters, oldest first. A client reads the events of its own reservations. With {@code project}, a member of
     * that project reads the events of everything filed under it. An agent reads the events of its cluster.
     *
     * <p>{@code next} is the reader's position. It is present as soon as anything was read, so that the client can later continue from
     * there. If there are no events after that position, {@code Prefer: wait=30} makes the call wait for one, up to 30 seconds.
     *
     * @param project only events of reservations filed under this project
     * @param from only events at this instant or later; has no effect together with {@code after}
     */
    @GetMapping("/api/v1/events")
    ResponseEntity<Page<EventBody>> listEvents(
            @RequestParam @Nullable String project,
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @RequestHeader(name = Prefer.HEADER, required = false) @Nullable String prefer,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields();
        var filed = fields.label("project", project);
        var beginning = fields.instantUp("from", from);
        fields.check();
        int most = Page.limit(limit);
        var scope = rights.hears(account, filed);
        var cursor = scope.cut(
                after == null && beginning.isPresent()
                        ? new EventCursor(records.positionsBefore(beginning.getAsLong()))
                        : EventCursor.parse(after));
        var found = scope.after(cursor, records, most);
        var applied = new HttpHeaders();
        var wait = Prefer.waiting(prefer);
        if (wait.isPresent()) {
            applied.set(Prefer.APPLIED, "wait=" + wait.get().toSeconds());
            if (found.isEmpty()) {
                found = awaited(scope, filed, cursor, most, wait.get(), account);
            }
        }
        if (!rights.hears(account, filed).equals(scope)) {
            // the account's scope has changed; the next call uses the new one
            found = List.of();
        }
        return ResponseEntity.ok()
                .headers(applied)
                .body(new Page<>(
                        found.stream().map(EventBody::of).toList(),
                        cursor.after(found).word()));
    }

    /** Waits for events up to the given time. No event is missed, because the listener is added before the first read. */
    private List<RecordedEvent> awaited(
            EventScope scope, Optional<String> project, EventCursor cursor, int most, Duration wait, Account account) {
        long end = System.nanoTime() + wait.toNanos();
        try (var listener = feed.listen(account.name(), scope::has)) {
            var found = scope.after(cursor, records, most);
            while (found.isEmpty() && System.nanoTime() < end && !listener.isOver()) {
                boolean hasNews = listener.next(CHECK_INTERVAL) != null;
                if (!rights.hears(account, project).equals(scope)) {
                    break;
                }
                if (hasNews) {
                    found = scope.after(cursor, records, most);
                }
            }
            return found;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}
