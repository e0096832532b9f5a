package berth.rest;

import berth.broker.Reservations;
import berth.desk.Records.Filter;
import berth.desk.Threads;
import berth.desk.Turns;
import berth.reservation.ClusterId;
import berth.rest.Rights.ReadFeed;
import berth.sla.AccountName;
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

/** What accounts have reserved, and what is filed under their projects, for calendar programs. */
@RestController
class FeedReadingsController {

    private static final Problem NO_FEED = new Problem(
            ProblemCode.NOT_FOUND, "There is no such feed, or it was revoked; its account can make another one.");

    private final Rights rights;
    private final Reservations reservations;
    private final InstantSource clock;
    private final Optional<String> service;

    /** The feeds of an account are read one after the other, so that none keeps others waiting for longer than a reading takes. */
    private final Turns<AccountName> turns;

    FeedReadingsController(
            Rights rights,
            Reservations reservations,
            Threads threads,
            InstantSource clock,
            @Value("${berth.url:}") String service) {
        this.rights = rights;
        this.reservations = reservations;
        this.clock = clock;
        this.service = Optional.of(service.strip().replaceFirst("/+$", "")).filter(url -> !url.isEmpty());
        this.turns = new Turns<>(threads);
    }

    /**
     * Reads a feed: what its account has reserved, or all that is filed under the feed's project if it is a member, as iCalendar (RFC 5545), from
     * what has ended in the last 30 days on. It needs no token: its secret is that. It has at most 2,000 entries, those that start last; where
     * there are more its description says so. Its {@code ETag} in {@code If-None-Match} is answered 304 as long as nothing is told otherwise.
     *
     * @param secret what stands in the path that the feed was made with
     */
    @GetMapping(path = "/api/v1/feeds/{secret}.ics", produces = ICalendar.TYPE)
    ResponseEntity<byte[]> readFeed(@PathVariable String secret, HttpServletRequest request) {
        // by now its hash stands there: FeedSecret
        var opened = rights.feed(secret).orElseThrow(() -> NO_FEED);
        var release = turns.enter(opened.account(), Feeds.PATIENCE)
                .orElseThrow(() -> ProblemHandler.tooMany("Feeds of this account are read too often; ask later."));
        try {
            return answer(opened, request);
        } finally {
            release.run();
        }
    }

    private ResponseEntity<byte[]> answer(ReadFeed opened, HttpServletRequest request) {
        var feed = opened.feed();
        var whose = opened.whose();
        long now = clock.instant().getEpochSecond();
        long today = Feeds.beginOfDay(now);
        long from = today - Feeds.PAST;
        // before what they speak of is read, so that no tag is newer than its calendar
        var changes = reservations.changes(whose, from);
        var here = new TreeMap<>(changes.here());
        feed.cluster().ifPresent(only -> here.keySet().retainAll(List.of(only)));
        var digest = FeedTag.digest(feed.id(), whose, from, here, changes.there(), service);
        return FeedTag.stillGood(Feeds.ifNoneMatch(request), digest, now)
                .map(Feeds::unchanged)
                .orElseGet(() -> {
                    var filter = new Filter(
                            whose.owner(),
                            feed.cluster(),
                            Optional.empty(),
                            whose.project(),
                            OptionalLong.of(from),
                            OptionalLong.empty());
                    var found = reservations.latest(filter, Feeds.MAX + 1);
                    long until = found.stream()
                            .limit(Feeds.MAX)
                            .flatMapToLong(booked -> FeedEntries.changesAt(booked, now).stream())
                            .min()
                            .orElse(today + Readings.DAY);
                    var of = List.of(
                            whose.owner().map(AccountName::value),
                            feed.cluster().map(ClusterId::value),
                            feed.project());
                    return Feeds.calendar(
                            "Berth: " + joined(of),
                            found,
                            booked -> FeedEntries.of(booked, now, service),
                            new FeedTag(digest, until));
                });
    }

    private static String joined(List<Optional<String>> words) {
        return String.join(" · ", words.stream().flatMap(Optional::stream).toList());
    }
}
