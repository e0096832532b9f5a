package berth.events;

import static berth.http.ProblemCode.ELSEWHERE;

import berth.accounts.Account;
import berth.booking.Reservations;
import berth.booking.web.ReservationLookup;
import berth.booking.web.Rights;
import berth.engine.Records;
import berth.engine.Records.RecordedEvent;
import berth.http.Fields;
import berth.http.LongPoll;
import berth.http.Page;
import berth.http.Prefer;
import berth.http.Refuses;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Calls that list the events of all clusters, oldest first. */
@RestController
class EventsController {

    private final Records records;
    private final EventStreams streams;
    private final Rights rights;
    private final ReservationLookup lookup;
    private final Reservations reservations;

    EventsController(
            Records records, EventStreams streams, Rights rights, ReservationLookup lookup, Reservations reservations) {
        this.records = records;
        this.streams = streams;
        this.rights = rights;
        this.lookup = lookup;
        this.reservations = reservations;
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
    @Nullable
    ResponseEntity<Page<EventBody>> listEvents(
            @RequestParam @Nullable String project,
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @RequestHeader(name = Prefer.HEADER, required = false) @Nullable String prefer,
            @AuthenticationPrincipal Account account,
            HttpServletRequest request) {
        var fields = new Fields();
        var filed = fields.label("project", project);
        var beginning = fields.instantUp("from", from);
        fields.check();
        int most = Page.limit(limit);
        var scope = EventScope.of(account, filed, rights);
        var cursor = scope.cut(
                after == null && beginning.isPresent()
                        ? new EventCursor(records.positionsBefore(beginning.getAsLong()))
                        : EventCursor.parse(after));
        var found = read(scope, cursor, most);
        var applied = new HttpHeaders();
        var wait = Prefer.waiting(prefer);
        if (wait.isPresent()) {
            applied.set(Prefer.APPLIED, "wait=" + wait.get().toSeconds());
            var poll = LongPoll.of(request);
            if (found.items().isEmpty() && poll.isEmpty()) {
                LongPoll.begin(
                        request,
                        streams.listen(account.name(), scope::has),
                        () -> EventScope.of(account, filed, rights).equals(scope),
                        wait.get());
                // what came before there was a listener
                found = read(scope, cursor, most);
            }
            if (found.items().isEmpty() && !poll.map(LongPoll::isOver).orElse(false)) {
                return null;
            }
        }
        if (!EventScope.of(account, filed, rights).equals(scope)) {
            // the account's scope has changed; the next call uses the new one
            found = new Page.Part<>(List.of(), List.of(), false);
        }
        return ResponseEntity.ok()
                .headers(applied)
                .body(new Page<>(found.items(), cursor.after(found.read()).word()));
    }

    private Page.Part<RecordedEvent, EventBody> read(EventScope scope, EventCursor cursor, int most) {
        return Page.read(most, (read, some) -> scope.after(cursor.after(read), records, some), EventBody::of);
    }

    /** Lists the events of a reservation since it was requested, oldest first. */
    @GetMapping("/api/v1/reservations/{id}/events")
    @Refuses(ELSEWHERE)
    Page<EventBody> listReservationEvents(
            @PathVariable String id,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        int most = Page.limit(limit);
        var known = lookup.here(id, account);
        long position = after == null ? 0 : Page.position(after);
        Page.Source<RecordedEvent> found = (read, some) -> reservations.events(
                known.id(), read.isEmpty() ? position : read.getLast().sequence(), some);
        return Page.read(most, found, EventBody::of).page(event -> Long.toString(event.sequence()));
    }
}
