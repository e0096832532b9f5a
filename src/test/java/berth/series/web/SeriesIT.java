package berth.series.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.reservation.ClientLabels;
import berth.reservation.ClusterId;
import berth.reservation.Occurrence;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.reservation.SeriesId;
import berth.scheduling.commands.BookSeries;
import berth.scheduling.commands.Reserve;
import berth.series.Series;
import berth.series.Series.Planned;
import berth.series.Series.Recurrence;
import berth.series.Series.Span;
import berth.series.SeriesState;
import berth.series.SeriesStore;
import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.time.Window;
import com.fasterxml.uuid.Generators;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/** A cluster of eight PEs that takes reservations for ninety days ahead, and a run of two hours at ten in the evening. */
class SeriesIT extends ServiceSuite {

    @Autowired
    @SuppressWarnings("NullAway.Init")
    private SeriesStore store;

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private Api client;

    @SuppressWarnings("NullAway.Init")
    private LocalDate today;

    @BeforeEach
    void open() {
        cluster = newCluster(8);
        client = client();
        today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    private String body(int pes, int firstDay, String rule, String more) {
        return """
            {"cluster":"%s","terms":{"duration":"PT2H","pes":%d},"name":"nightly",
             "recurrence":{"rrule":"%s","dtstart":"%sT22:00","zone":"UTC"}%s}""".formatted(cluster, pes, rule, today.plusDays(firstDay), more);
    }

    private Reply series(int pes, int firstDay, String rule, String more) {
        return client.post("/api/v1/series", body(pes, firstDay, rule, more));
    }

    private Reply read(Reply series) {
        return client.get("/api/v1/series/" + series.text("id"));
    }

    private static <T> List<T> occurrences(Reply series, Function<JsonNode, T> what) {
        return series.body().get("occurrences").valueStream().map(what).toList();
    }

    private static List<String> states(Reply series) {
        return occurrences(series, one -> one.get("state").asString());
    }

    private Reply reservation(Reply series, int number) {
        var id = occurrences(series, one -> one.get("reservation").asString()).get(number);
        return client.get("/api/v1/reservations/" + id);
    }

    private void inTheWay(int day) {
        assertThat(reserve(admin, cluster, """
                {"readyTime":"%1$sT22:00:00Z","deadline":"%1$sT23:00:00Z","duration":"PT1H","pes":1}""".formatted(today.plusDays(day))).status())
                .isEqualTo(201);
    }

    @Test
    void eachDayIsAReservationOfItsOwn() {
        var series = series(8, 1, "FREQ=DAILY;COUNT=3", "");

        assertThat(series.status()).as("%s", series).isEqualTo(201);
        assertThat(states(series)).containsExactly("BOOKED", "BOOKED", "BOOKED");
        assertThat(series.text("bookedUntil")).isEqualTo(today.plusDays(3).toString());
        assertThat(series.text("state")).isEqualTo("DECIDED");
        assertThat(read(series).body()).isEqualTo(series.body());
        var second = reservation(series, 1);
        assertThat(second.text("series")).isEqualTo(series.text("id"));
        assertThat(second.text("occurrence")).isEqualTo(today.plusDays(2).toString());
        assertThat(second.text("placement.start")).isEqualTo(today.plusDays(2) + "T22:00:00Z");
        assertThat(second.text("name")).isEqualTo("nightly");

        // other terms of one are those of no other
        var before =
                List.of(reservation(series, 0).body(), reservation(series, 2).body());
        assertThat(client.post("/api/v1/reservations/%s/renegotiations".formatted(second.text("id")), """
                {"terms":{"pes":2}}""")
                        .status())
                .isEqualTo(200);
        client.post("/api/v1/reservations/%s/cancel".formatted(second.text("id")), "{}");
        assertThat(List.of(reservation(series, 0).body(), reservation(series, 2).body()))
                .isEqualTo(before);
        assertThat(occurrences(read(series), one -> one.get("reservationState").asString()))
                .containsExactly("CONFIRMED", "CANCELLED", "CONFIRMED");
    }

    @Test
    void aSeriesIsBookedAsAWholeUnlessFewerAreEnough() {
        inTheWay(2);

        var tried = series(8, 1, "FREQ=DAILY;COUNT=3", ",\"dryRun\":true");
        var all = series(8, 1, "FREQ=DAILY;COUNT=3", "");
        var three = series(8, 1, "FREQ=DAILY;COUNT=3", ",\"atLeast\":3");
        assertThat(admin.get("/api/v1/reservations?cluster=" + cluster).body().get("items"))
                .hasSize(1);
        var any = series(8, 1, "FREQ=DAILY;COUNT=3", ",\"onConflict\":\"ANY\"");

        assertThat(tried.status()).isEqualTo(200);
        assertThat(tried.body().get("id").isNull()).isTrue();
        assertThat(states(tried)).containsExactly("BOOKED", "REFUSED", "BOOKED");
        assertThat(tried.body().at("/occurrences/1/wouldFit/pes").asInt()).isEqualTo(7);
        assertThat(tried.body().at("/occurrences/1/reason").asString()).isEqualTo("no-slot");
        assertThat(List.of(all.status(), three.status())).containsOnly(409);
        assertThat(all.text("code")).isEqualTo("no-slot");
        assertThat(all.text("detail")).startsWith("2 of the occurrences can be booked, but at least 3 must be.");
        assertThat(any.status()).isEqualTo(201);
        assertThat(states(any)).containsExactly("BOOKED", "REFUSED", "BOOKED");
        var events = client.get("/api/v1/events").body().get("items");
        assertThat(events.valueStream().map(event -> event.get("type").asString()))
                .containsExactly("confirmed", "rejected", "confirmed");
    }

    /** A run of two or four hours on eight or four PEs. */
    private Reply inShapes(String more) {
        return client.post("/api/v1/series", """
            {"cluster":"%s","terms":{"moldability":{"runtimes":{"4":"PT4H","8":"PT2H"}}},
             "recurrence":{"rrule":"FREQ=DAILY;COUNT=2","dtstart":"%sT22:00","zone":"UTC"}%s}""".formatted(cluster, today.plusDays(1), more));
    }

    @Test
    void aLongerShapeBeginsAtThePlannedTimeIfTheLargestDoesNotFit() {
        inTheWay(1);

        var series = inShapes("");

        assertThat(series.status()).as("%s", series).isEqualTo(201);
        assertThat(reservation(series, 0).text("placement.start")).isEqualTo(today.plusDays(1) + "T22:00:00Z");
        assertThat(reservation(series, 0).body().at("/placement/pes").asInt()).isEqualTo(4);
        assertThat(reservation(series, 1).body().at("/placement/pes").asInt()).isEqualTo(8);
        assertThat(reservation(series, 1).text("placement.end")).isEqualTo(today.plusDays(3) + "T00:00:00Z");
        assertThat(reservation(series, 1).body().at("/movable").asBoolean()).isFalse();
    }

    @Test
    void aSeriesUsesTheRestOfAWindowThatHasBegun() {
        if (today.atTime(21, 30).toInstant(ZoneOffset.UTC).isBefore(clock.instant())) {
            today = today.plusDays(1);
        }
        pass(Duration.between(clock.instant(), today.atTime(21, 30).toInstant(ZoneOffset.UTC)));
        desks.catchUp();
        var window = ",\"window\":{\"earliest\":\"PT3H\",\"slack\":\"PT2H\"}";

        var series = series(8, 0, "FREQ=DAILY;COUNT=2", window);

        assertThat(series.status()).as("%s", series).isEqualTo(201);
        assertThat(reservation(series, 0).text("terms.readyTime"))
                .isEqualTo(clock.instant().toString());
        var path = "/api/v1/series/%s/occurrences/%s".formatted(series.text("id"), today);
        client.post(
                "/api/v1/reservations/%s/cancel"
                        .formatted(reservation(series, 0).text("id")),
                "{}");
        pass(Duration.ofHours(2));
        desks.catchUp();
        var again = client.post(path, "{}");
        assertThat(again.status()).as("%s", again).isEqualTo(201);
        assertThat(again.text("placement.start")).isEqualTo(today + "T23:30:00Z");
        client.post("/api/v1/reservations/%s/cancel".formatted(again.text("id")), "{}");
        pass(Duration.ofHours(1));
        desks.catchUp();
        var late = client.post(path, "{}");
        assertThat(late.text("code")).isEqualTo("wrong-state");
        assertThat(late.text("detail")).contains(today.plusDays(1) + "T00:00:00Z");
    }

    @Test
    void aRefusalNamesOnlyFieldsOfTheCall() {
        inTheWay(1);

        var tried = series(8, 1, "FREQ=DAILY;COUNT=2", ",\"dryRun\":true");
        var would = tried.body().at("/occurrences/0/wouldFit");
        assertThat(would.path("deadline").isNull()).isTrue();
        assertThat(would.path("slack").asString()).isEqualTo("PT1H");
        var loose = series(8, 1, "FREQ=DAILY;COUNT=2", ",\"window\":{\"slack\":\"PT1H\"}");
        assertThat(loose.status()).as("%s", loose).isEqualTo(201);

        var exact = client.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"duration":"PT1H","pes":8},"start":"%sT22:00:00Z"}""".formatted(cluster, today.plusDays(1)));
        assertThat(exact.text("code")).isEqualTo("no-slot");
        assertThat(exact.body().at("/wouldFit/deadline").isNull()).isTrue();
    }

    @Test
    void aDryRunCountsReservationsOnOtherClusters() {
        var limited = new Api(
                port,
                Optional.of(
                        admin.post("/api/v1/accounts", """
                {"name":"%s","role":"CLIENT","limits":{"activeReservations":2}}""".formatted(newName())).text("token")));
        assertThat(reserve(limited, newCluster(8), """
                {"readyTime":"%1$sT22:00:00Z","deadline":"%1$sT23:00:00Z","duration":"PT1H","pes":1}""".formatted(today.plusDays(1)))
                        .status())
                .isEqualTo(201);

        var rule = body(1, 1, "FREQ=DAILY;COUNT=2", ",\"onConflict\":\"ANY\"");
        var tried = limited.post("/api/v1/series", rule.replaceFirst("}$", ",\"dryRun\":true}"));
        var real = limited.post("/api/v1/series", rule);

        assertThat(states(tried)).containsExactly("BOOKED", "REFUSED").isEqualTo(states(real));
        assertThat(tried.text("occurrences.1.reason")).isEqualTo("limit-exceeded");
    }

    @Test
    void aRefusedOrCancelledOccurrenceCanBeRequestedAgain() {
        inTheWay(2);
        var series = series(8, 1, "FREQ=DAILY;COUNT=2", ",\"onConflict\":\"ANY\"");
        var path = "/api/v1/series/%s/occurrences/%s".formatted(series.text("id"), today.plusDays(2));

        assertThat(client.post(path, "{}").text("code")).isEqualTo("no-slot");
        var other = admin.get("/api/v1/reservations?cluster=" + cluster).body().at("/items");
        other.forEach(one -> {
            if (!one.get("name").asString("").equals("nightly")) {
                admin.post(
                        "/api/v1/reservations/%s/cancel".formatted(one.get("id").asString()), "{}");
            }
        });
        var booked = client.post(path, "{}", "Idempotency-Key", "once-more");
        assertThat(booked.status()).as("%s", booked).isEqualTo(201);
        assertThat(client.post(path, "{}", "Idempotency-Key", "once-more").body())
                .isEqualTo(booked.body());
        assertThat(client.post(path, "{}").text("code")).isEqualTo("wrong-state");
        assertThat(states(read(series))).containsExactly("BOOKED", "BOOKED");
        assertThat(client.post(path.replaceAll("..$", "77"), "{}").text("code")).isEqualTo("malformed");
        assertThat(client.post(path.replaceAll("20..-", "2099-"), "{}").text("code"))
                .isEqualTo("not-found");
    }

    @Test
    void occurrencesAreBookedWhenTheHorizonReachesThem() {
        var series = series(4, 88, "FREQ=DAILY;COUNT=5", "");

        assertThat(states(series)).startsWith("BOOKED").endsWith("AHEAD", "AHEAD", "AHEAD");
        assertThat(series.text("state")).isEqualTo("OPEN");
        inTheWayOfAll(90);
        pass(Duration.ofDays(2));
        advanceSeries();
        assertThat(read(series).text("bookedUntil"))
                .isGreaterThanOrEqualTo(today.plusDays(90).toString());

        assertThat(states(read(series)).subList(0, 3)).containsExactly("BOOKED", "BOOKED", "REFUSED");
        pass(Duration.ofDays(4));
        advanceSeries();
        assertThat(read(series).text("state")).isEqualTo("DECIDED");
        assertThat(states(read(series))).containsExactly("BOOKED", "BOOKED", "REFUSED", "BOOKED", "BOOKED");
        assertThat(client.get("/api/v1/events")
                        .body()
                        .get("items")
                        .valueStream()
                        .map(event -> event.get("type").asString()))
                .containsExactlyInAnyOrder("confirmed", "confirmed", "rejected", "confirmed", "confirmed");
    }

    /** As no reservation can be beyond the horizon. */
    private void inTheWayOfAll(int day) {
        assertThat(admin.post("/api/v1/clusters/%s/outages".formatted(cluster), """
                {"pes":8,"from":"%1$sT21:00:00Z","to":"%1$sT23:00:00Z"}""".formatted(today.plusDays(day)))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void aSeriesIsEndedOrReplacedByAnother() {
        var series = series(8, 1, "FREQ=DAILY;COUNT=4", "");
        var path = "/api/v1/series/" + series.text("id");

        var inTheWay = series(8, 3, "FREQ=DAILY;COUNT=2", "");
        var next = series(4, 3, "FREQ=DAILY;COUNT=2", """
                ,"replaces":{"series":"%s","from":"%s"}""".formatted(series.text("id"), today.plusDays(3)));
        assertThat(inTheWay.text("code")).isEqualTo("no-slot");
        assertThat(next.status()).as("%s", next).isEqualTo(201);
        assertThat(occurrences(read(series), one -> one.get("reservationState").asString()))
                .containsExactly("CONFIRMED", "CONFIRMED", "CANCELLED", "CANCELLED");

        var ended = client.post(path + "/end", "{\"from\":\"%s\"}".formatted(today.plusDays(2)));
        assertThat(ended.status()).as("%s", ended).isEqualTo(200);
        assertThat(occurrences(ended, one -> one.get("reservationState").asString()))
                .containsExactly("CONFIRMED", "CANCELLED", "CANCELLED", "CANCELLED");
        assertThat(client.post(path + "/end", "{}").status()).isEqualTo(200);
        assertThat(occurrences(read(series), one -> one.get("reservationState").asString()))
                .containsOnly("CANCELLED");
        assertThat(states(read(next))).containsExactly("BOOKED", "BOOKED");
    }

    @Test
    void aRepeatedKeyReturnsTheSameSeriesToItsOwnerOnly() {
        var body = body(2, 1, "FREQ=DAILY;COUNT=2", "");
        var first = client.post("/api/v1/series", body, "Idempotency-Key", "nightly");
        var again = client.post("/api/v1/series", body, "Idempotency-Key", "nightly");
        var reused = client.post("/api/v1/series", body(3, 1, "FREQ=DAILY;COUNT=2", ""), "Idempotency-Key", "nightly");
        var stranger = client();

        assertThat(again.body()).isEqualTo(first.body());
        assertThat(reused.text("code")).isEqualTo("key-reused");
        assertThat(stranger.get("/api/v1/series/" + first.text("id")).status()).isEqualTo(404);
        assertThat(stranger.get("/api/v1/series").body().get("items")).isEmpty();
        assertThat(client.get("/api/v1/series").body().get("items")).hasSize(1);
        assertThat(admin.get("/api/v1/series?limit=1").body().get("items")).hasSize(1);
    }

    /** A series of three days on all PEs, whose booking has begun. */
    private Series begun() {
        var start = today.plusDays(1).atTime(22, 0);
        var planned = IntStream.range(0, 3)
                .mapToObj(day ->
                        new Planned(today.plusDays(1 + day), start.plusDays(day).toEpochSecond(ZoneOffset.UTC)))
                .toList();
        return new Series(
                new SeriesId(Generators.timeBasedEpochGenerator().generate()),
                new ClusterId(cluster),
                new Origin(
                        new AccountName(client.get("/api/v1/me").text("name")),
                        ServiceClass.STANDARD,
                        ClientLabels.NONE.with("name", Optional.of("nightly"))),
                5,
                RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 7200, 8),
                new Recurrence("FREQ=DAILY;COUNT=3", start, ZoneOffset.UTC, List.of()),
                new Span(0, 0),
                planned,
                0,
                SeriesState.BOOKING,
                Optional.empty(),
                Optional.empty(),
                0,
                clock.instant().getEpochSecond());
    }

    @Test
    void aSeriesInterruptedBeforeItsBookingIsForgotten() {
        var series = begun();
        store.create(series, Optional.empty());

        assertThat(client.get("/api/v1/series/" + series.id()).status()).isEqualTo(404);
        assertThat(store.find(series.id())).isEmpty();
        assertThat(series(8, 1, "FREQ=DAILY;COUNT=3", "").status()).isEqualTo(201);
    }

    @Test
    void aSeriesInterruptedAfterItsBookingGoesOn() {
        var series = begun();
        var requests = series.planned().stream()
                .map(day -> new Reserve(
                        new ReservationId(Generators.timeBasedEpochGenerator().generate()),
                        series.origin().as(new Occurrence(series.id(), day.date())),
                        series.terms().within(new Window(day.start(), day.start() + 7200)),
                        OptionalLong.empty(),
                        OptionalLong.empty()))
                .toList();
        desks.decide(series.cluster(), new BookSeries(Optional.empty(), requests.subList(0, 2), 2, 5));
        // last, because Berth deletes such a series if it has no occurrence
        store.create(series, Optional.empty());

        var found = client.get("/api/v1/series/" + series.id());
        assertThat(found.status()).isEqualTo(200);
        assertThat(states(found)).startsWith("BOOKED", "BOOKED");
        // occurrences that were not in the commit are decided like any that the horizon reaches
        advanceSeries();
        assertThat(states(client.get("/api/v1/series/" + series.id()))).containsExactly("BOOKED", "BOOKED", "BOOKED");
        assertThat(client.get("/api/v1/reservations").body().get("items")).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ,"recurrence":{"rrule":"FREQ=DAILY","dtstart":"2027-02-30T22:00","zone":"UTC"}  | recurrence.dtstart
            ,"recurrence":{"rrule":"FREQ=DAILY","dtstart":"2037-02-28T22:00","zone":"Europe/Atlantis"},"count":3 | recurrence.zone
            ,"recurrence":{"rrule":"FREQ=DAILY","dtstart":"2037-02-28T22:00","zone":"UTC"}  | recurrence.rrule
            ,"recurrence":{"rrule":"FREQ=DAILY","dtstart":"2037-02-28T22:00","zone":"UTC"},"count":0 | count
            ,"recurrence":{"rrule":"FREQ=DAILY","dtstart":"2037-02-28T22:00","zone":"UTC"},"count":2,"until":"2037-03-28" | count
            ,"recurrence":{"rrule":"FREQ=DAILY;COUNT=2","dtstart":"2037-02-28T22:00","zone":"UTC"},"until":"2037-03-28" | recurrence.rrule
            ,"recurrence":{"rrule":"FREQ=DAILY;COUNT=2","dtstart":"2037-02-28T22:00","zone":"UTC","exdates":["soon"]} | recurrence.exdates[0]
            ,"recurrence":{"rrule":"FREQ=DAILY;COUNT=2","dtstart":"2037-02-28T22:00","zone":"UTC"},"window":{"slack":"-PT1H"} | window.slack
            ,"recurrence":{"rrule":"FREQ=DAILY;COUNT=2","dtstart":"2037-02-28T22:00","zone":"UTC"},"atLeast":1,"onConflict":"ANY" | atLeast
            ,"recurrence":{"rrule":"FREQ=DAILY;COUNT=2","dtstart":"2037-02-28T22:00","zone":"UTC"},"replaces":{"series":"x","from":"2037-02-28"} | replaces.series
            ,"recurrence":{"dtstart":"2037-02-28T22:00","zone":"UTC"} | recurrence.rrule
            ,"recurrence":{"rrule":"FREQ=DAILY;INTERVAL=2147483647;COUNT=3","dtstart":"2037-02-28T22:00","zone":"UTC"} | recurrence.rrule
            ,"recurrence":{"rrule":"FREQ=MONTHLY;BYDAY=5MO;BYSETPOS=-366;COUNT=2","dtstart":"2037-02-28T22:00","zone":"UTC"} | recurrence.rrule
            ,"terms":{"duration":"-PT1H","pes":1} | terms.duration
            ,"terms":{"duration":"PT0S","pes":1} | terms.duration
            ,"terms":{"duration":"PT25H","pes":1} | terms.duration
            ,"terms":{"duration":"PT1H","pes":1,"readyTime":"2037-02-28T22:00:00Z"} | terms.readyTime
            ,"terms":{"duration":"PT1H","pes":1,"mobility":{"maxMoves":1}} | terms.mobility
            ,"terms":{"duration":"PT1H","pes":1,"autoExtend":{"step":"PT1H","until":"2037-02-28T22:00:00Z"}} | terms.autoExtend
            ,"terms":{"duration":"PT1H","pes":9} | terms.pes
            """)
    void aWrongFieldIsNamed(String more, String field) {
        var standard =
                "{\"cluster\":\"%s\",\"terms\":{\"duration\":\"PT2H\",\"pes\":1},\"recurrence\":{\"rrule\":\"FREQ=DAILY;COUNT=2\",\"dtstart\":\"%sT22:00\",\"zone\":\"UTC\"}"
                        .formatted(cluster, today.plusDays(1));
        var name = more.substring(2, more.indexOf('"', 2));
        var without = standard.replaceAll(",\"" + name + "\":\\{[^{}]*\\}", "");
        var reply = client.post("/api/v1/series", without + more + "}");

        assertThat(reply.status()).as("%s", reply).isIn(400, 422);
        assertThat(reply.text("errors.0.field")).isEqualTo(field);
    }
}
