package berth.rest;

import berth.broker.Reservations;
import berth.cluster.Outage;
import berth.desk.Records;
import berth.desk.Records.Filter;
import berth.desk.Threads;
import berth.desk.Turns;
import berth.reservation.ClusterId;
import berth.security.Accounts;
import berth.security.Accounts.Opened;
import berth.sla.AccountName;
import berth.time.Slot;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** What calendar programs read: feeds of accounts, and the outages of clusters. */
@RestController
class FeedReadingsController {

    /** How many entries a calendar has at the most. */
    static final int MOST = 2000;

    private static final long DAY = 24 * 3600;
    private static final long PAST = 30 * DAY;

    /** Nothing is planned so far ahead: ten years. */
    private static final long AHEAD = 3653 * DAY;

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final MediaType CALENDAR = new MediaType("text", "calendar", StandardCharsets.UTF_8);

    private static final Problem NO_FEED = new Problem(
            ProblemCode.NOT_FOUND, "There is no such feed, or it was revoked; its account can make another one.");

    private final Accounts accounts;
    private final Reservations reservations;
    private final Records records;
    private final ClusterLookup clusters;
    private final InstantSource clock;
    private final Optional<String> service;

    /** The feeds of an account are read one after the other, so that none keeps others waiting for longer than a reading takes. */
    private final Turns<AccountName> turns;

    FeedReadingsController(
            Accounts accounts,
            Reservations reservations,
            Records records,
            ClusterLookup clusters,
            Threads threads,
            InstantSource clock,
            @Value("${berth.url:}") String service) {
        this.accounts = accounts;
        this.reservations = reservations;
        this.records = records;
        this.clusters = clusters;
        this.clock = clock;
        this.service = Optional.of(service.strip().replaceFirst("/+$", "")).filter(url -> !url.isEmpty());
        this.turns = new Turns<>(threads);
    }

    /**
     * Reads a feed: what its account has reserved, as iCalendar (RFC 5545), from what has ended in the last 30 days on. It needs no
     * token: its secret is that. It has at most 2,000 entries, those that start last; where there are more its description says so. Its {@code ETag} in {@code If-None-Match} is answered 304 as long as nothing is told otherwise.
     *
     * @param secret what stands in the path that the feed was made with
     */
    @GetMapping(path = "/api/v1/feeds/{secret}.ics", produces = ICalendar.TYPE)
    ResponseEntity<byte[]> readFeed(@PathVariable String secret, HttpServletRequest request) {
        // by now its hash stands there: FeedSecret
        var opened = accounts.byFeed(secret).orElseThrow(() -> NO_FEED);
        var release = turns.enter(opened.account().name(), PATIENCE)
                .orElseThrow(() -> ProblemHandler.tooMany("Feeds of this account are read too often; ask later."));
        try {
            return answer(opened, request);
        } finally {
            release.run();
        }
    }

    private ResponseEntity<byte[]> answer(Opened opened, HttpServletRequest request) {
        var owner = opened.account().name();
        var feed = opened.feed();
        long now = now();
        long from = beginOfDay(now) - PAST;
        // before what they speak of is read, so that no tag is newer than its calendar
        var changes = reservations.changes(owner, from);
        var here = new TreeMap<>(changes.here());
        feed.cluster().ifPresent(only -> here.keySet().retainAll(List.of(only)));
        var digest = FeedTag.digest(feed.id(), from, here, changes.there(), service);
        return FeedTag.stillGood(ifNoneMatch(request), digest, now)
                .map(FeedReadingsController::unchanged)
                .orElseGet(() -> {
                    var filter = new Filter(
                            Optional.of(owner),
                            feed.cluster(),
                            Optional.empty(),
                            feed.project(),
                            OptionalLong.of(from),
                            OptionalLong.empty());
                    var found = reservations.latest(filter, MOST + 1);
                    long until = found.stream()
                            .limit(MOST)
                            .flatMapToLong(booked -> FeedEntries.changesAt(booked, now).stream())
                            .min()
                            .orElse(beginOfDay(now) + DAY);
                    var of = List.of(Optional.of(owner.value()), feed.cluster().map(ClusterId::value), feed.project());
                    return calendar(
                            "Berth: " + joined(of),
                            found,
                            booked -> FeedEntries.of(booked, now, service),
                            new FeedTag(digest, until));
                });
    }

    private static String joined(List<Optional<String>> words) {
        return String.join(" · ", words.stream().flatMap(Optional::stream).toList());
    }

    /**
     * Reads when PEs of a cluster are out of service, as iCalendar (RFC 5545), from what has ended in the last 30 days on. Where the
     * setting {@code berth.outages.public} names the cluster, it is open to everybody, without a token. It has an {@code ETag} as a feed
     * has.
     */
    @GetMapping(path = "/api/v1/clusters/{cluster}/outages.ics", produces = ICalendar.TYPE)
    ResponseEntity<byte[]> readOutages(@PathVariable String cluster, HttpServletRequest request) {
        var id = clusters.id(cluster);
        long now = now();
        long today = beginOfDay(now);
        var tag = new FeedTag(FeedTag.digest(id, records.lastSequence(id)), today + DAY);
        if (FeedTag.stillGood(ifNoneMatch(request), tag.digest(), now).isPresent()) {
            return unchanged(tag);
        }
        var found = records.outages(id, new Slot(today - PAST, today + AHEAD)).stream()
                .sorted(Comparator.comparingLong(Outage::from).reversed())
                .toList();
        return calendar("Outages of " + id, found, outage -> FeedEntries.of(outage, today), tag);
    }

    private static <T> ResponseEntity<byte[]> calendar(
            String name, List<T> found, Function<T, ICalendar.Entry> entry, FeedTag tag) {
        var cut = found.size() > MOST
                ? Optional.of("Only the latest %,d are told; there are more.".formatted(MOST))
                : Optional.<String>empty();
        var body = ICalendar.write(name, cut, found.stream().limit(MOST).map(entry).toList());
        return tagged(ResponseEntity.ok(), tag)
                .contentType(CALENDAR)
                .header(
                        HttpHeaders.CONTENT_DISPOSITION,
                        ContentDisposition.inline().filename("berth.ics").build().toString())
                .body(body);
    }

    private static ResponseEntity<byte[]> unchanged(FeedTag tag) {
        return tagged(ResponseEntity.status(HttpStatus.NOT_MODIFIED), tag).build();
    }

    /** A program may keep it, and asks each time whether it is still good. */
    private static ResponseEntity.BodyBuilder tagged(ResponseEntity.BodyBuilder answer, FeedTag tag) {
        return answer.eTag(tag.header()).header(HttpHeaders.CACHE_CONTROL, "private, no-cache");
    }

    private static List<String> ifNoneMatch(HttpServletRequest request) {
        return Collections.list(request.getHeaders(HttpHeaders.IF_NONE_MATCH));
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    private static long beginOfDay(long second) {
        return second - Math.floorMod(second, DAY);
    }
}
