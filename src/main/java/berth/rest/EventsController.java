package berth.rest;

import berth.desk.Records;
import berth.security.Account;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What happened on all clusters, oldest first. */
@RestController
class EventsController {

    private final Records records;

    EventsController(Records records) {
        this.records = records;
    }

    /**
     * Lists what has happened on all clusters, oldest first. A client reads what has happened to its own reservations, since they
     * were asked for; an agent, what has happened on its cluster. {@code next} is the reader's position: it is always there once something was read, so that one can come
     * back for more.
     *
     * @param from only what happened at this instant or later; it does not matter where {@code after} is given
     */
    @GetMapping("/api/v1/events")
    Page<EventBody> listEvents(
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields();
        var beginning = fields.instantUp("from", from);
        fields.check();
        int most = Page.limit(limit);
        var cursor = after == null && beginning.isPresent()
                ? new EventCursor(records.positionsBefore(beginning.getAsLong()))
                : EventCursor.parse(after);
        var found = EventScope.of(account).after(cursor, records, most);
        return new Page<>(
                found.stream().map(EventBody::of).toList(), cursor.after(found).word());
    }
}
