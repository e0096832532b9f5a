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

/** What happened on all clusters, oldest first. */
@RestController
class EventsController {

    /** So often whoever waits looks whether the service ends. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Records records;
    private final EventFeed feed;
    private final Rights rights;

    EventsController(Records records, EventFeed feed, Rights rights) {
        this.records = records;
        this.feed = feed;
        this.rights = rights;
    }

    /**
     * Lists what has happened on all clusters, oldest first. A client reads what has happened to its own reservations, since they
     * were asked for, and a member of a project to all that is filed under it, if asked for by {@code project}; an agent, what has happened on its
     * cluster. {@code next} is the reader's position: it is always there once something was read, so that one can come back for more. Where nothing has happened after that position, {@code Prefer: wait=30} has the answer wait until something does.
     *
     * @param project only what happened to reservations that are filed under this project
     * @param from only what happened at this instant or later; it does not matter where {@code after} is given
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
            // what is its business by now it hears when it asks again
            found = List.of();
        }
        return ResponseEntity.ok()
                .headers(applied)
                .body(new Page<>(
                        found.stream().map(EventBody::of).toList(),
                        cursor.after(found).word()));
    }

    /** What happens until somebody has waited long enough; nothing escapes who listens before it reads. */
    private List<RecordedEvent> awaited(
            EventScope scope, Optional<String> project, EventCursor cursor, int most, Duration wait, Account account) {
        long end = System.nanoTime() + wait.toNanos();
        try (var listener = feed.listen(account.name(), scope::has)) {
            var found = scope.after(cursor, records, most);
            while (found.isEmpty() && System.nanoTime() < end && !listener.isOver()) {
                boolean isTold = listener.next(LOOK) != null;
                if (!rights.hears(account, project).equals(scope)) {
                    break;
                }
                if (isTold) {
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
