package berth.feeds;

import berth.booking.ReservationList;
import berth.booking.ReservationList.Filter;
import berth.booking.Reservations;
import berth.booking.web.Rights;
import berth.booking.web.Rights.ReadFeed;
import berth.http.ICalendar;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.readings.Readings;
import berth.reservation.ClusterId;
import berth.sla.AccountName;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The call with which calendar programs read a feed: what an account has reserved, or what is filed under a project. */
@RestController
@Tag(name = "Feed readings")
class FeedCalendarController {

    private static final Problem NO_FEED = new Problem(
            ProblemCode.NOT_FOUND, "There is no such feed, or it was revoked. Its account can make a new one.");

    private final Rights rights;
    private final Reservations reservations;
    private final ReservationList list;
    private final InstantSource clock;
    private final Optional<String> service;

    FeedCalendarController(
            Rights rights,
            Reservations reservations,
            ReservationList list,
            InstantSource clock,
            @Value("${berth.url:}") String service) {
        this.rights = rights;
        this.reservations = reservations;
        this.list = list;
        this.clock = clock;
        this.service = Optional.of(service.strip().replaceFirst("/+$", "")).filter(url -> !url.isEmpty());
    }

    /**
     * Reads a feed as iCalendar (RFC 5545). It contains what its account has reserved or, if the feed has a project that the account is a
     * member of, everything filed under it. Reservations that ended more than 30 days ago are left out.
     *
     * <p>The call needs no token, because the path contains a secret. A feed has at most 2,000 entries, the ones that start last; if there
     * are more, its description says so. Send the {@code ETag} in {@code If-None-Match} to get status 304 if nothing has changed.
     *
     * @param secret the secret in the path that was returned when the feed was made
     */
    @GetMapping(path = "/api/v1/feeds/{secret}.ics", produces = ICalendar.TYPE)
    ResponseEntity<byte[]> readFeed(@PathVariable String secret, HttpServletRequest request) {
        // FeedSecret has replaced the secret by its hash
        var opened = rights.feed(secret).orElseThrow(() -> NO_FEED);
        return answer(opened, request);
    }

    private ResponseEntity<byte[]> answer(ReadFeed opened, HttpServletRequest request) {
        var feed = opened.feed();
        var whose = opened.whose();
        long now = clock.instant().getEpochSecond();
        long today = CalendarResponses.beginOfDay(now);
        long from = today - CalendarResponses.PAST;
        // read before the reservations, so that the state is never newer than the calendar
        var changes = reservations.changes(whose, from);
        var here = new TreeMap<>(changes.here());
        feed.cluster().ifPresent(only -> here.keySet().retainAll(List.of(only)));
        var state = FeedTag.digest(feed.id(), whose, from, here, changes.there(), service);
        return FeedTag.stillGood(CalendarResponses.ifNoneMatch(request), state, now)
                .map(CalendarResponses::unchanged)
                .orElseGet(() -> {
                    var filter = new Filter(
                            whose.owner(),
                            feed.cluster(),
                            Optional.empty(),
                            whose.project(),
                            OptionalLong.of(from),
                            OptionalLong.empty());
                    var found = list.latest(filter, CalendarResponses.MAX + 1);
                    long until = found.stream()
                            .limit(CalendarResponses.MAX)
                            .flatMapToLong(booked -> FeedEntries.changesAt(booked, now).stream())
                            .min()
                            .orElse(today + Readings.DAY);
                    var of = List.of(
                            whose.owner().map(AccountName::value),
                            feed.cluster().map(ClusterId::value),
                            feed.project());
                    return CalendarResponses.calendar(
                            "Berth: " + joined(of),
                            found,
                            booked -> FeedEntries.of(booked, reservations.unit(booked), now, service),
                            state,
                            until);
                });
    }

    private static String joined(List<Optional<String>> words) {
        return String.join(" · ", words.stream().flatMap(Optional::stream).toList());
    }
}
