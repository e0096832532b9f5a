package berth.rest;

import berth.desk.Records;
import berth.desk.Records.RecordedEvent;
import berth.security.Account;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What happened on all clusters, oldest first. */
@RestController
class EventsController {

    /** So often whoever waits looks whether the service ends. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Records records;
    private final EventFeed feed;

    EventsController(Records records, EventFeed feed) {
        this.records = records;
        this.feed = feed;
    }

    /**
     * Lists what has happened on all clusters, oldest first. A client reads what has happened to its own reservations, since they
     * were asked for; an agent, what has happened on its cluster. {@code next} is the reader's position: it is always there once
     * something was read, so that one can come back for more. Where nothing has happened after that position, {@code Prefer: wait=30} has the answer wait until something does.
     *
     * @param from only what happened at this instant or later; it does not matter where {@code after} is given
     */
    @GetMapping("/api/v1/events")
    ResponseEntity<Page<EventBody>> listEvents(
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @RequestHeader(name = Prefer.HEADER, required = false) @Nullable String prefer,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields();
        var beginning = fields.instantUp("from", from);
        fields.check();
        int most = Page.limit(limit);
        var scope = EventScope.of(account);
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
                found = awaited(scope, cursor, most, wait.get(), account);
            }
        }
        return ResponseEntity.ok()
                .headers(applied)
                .body(new Page<>(
                        found.stream().map(EventBody::of).toList(),
                        cursor.after(found).word()));
    }

    /** What happens until somebody has waited long enough; nothing escapes who listens before it reads. */
    private List<RecordedEvent> awaited(
            EventScope scope, EventCursor cursor, int most, Duration wait, Account account) {
        long end = System.nanoTime() + wait.toNanos();
        try (var listener = feed.listen(account.name(), scope::has)) {
            var found = scope.after(cursor, records, most);
            while (found.isEmpty() && System.nanoTime() < end && !listener.isOver()) {
                if (listener.next(LOOK) != null) {
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
