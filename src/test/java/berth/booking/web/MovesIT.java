package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.math.BigDecimal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A reservation is moved no more often and no further than agreed, and says how much of that is left. */
class MovesIT extends ServiceSuite {

    private static final String FREE = """
            {"readyTime":"%s","slack":"PT12H","duration":"PT2H","pes":8%s}""";

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private Api client;

    @BeforeEach
    void createACluster() {
        cluster = newCluster(8);
        client = client();
    }

    private static Reply request(Api by, String body) {
        return by.post("/api/v1/reservations", body);
    }

    private Reply free(String more) {
        return reserve(client, cluster, FREE.formatted(at(26), more));
    }

    private Reply block(int hour) {
        return request(client(), """
                {"terms":{"readyTime":"%s","deadline":"%s","duration":"PT2H","pes":8},"cluster":"%s"}""".formatted(at(hour), at(hour + 2), cluster));
    }

    private Reply read(Reply reservation) {
        return client.get("/api/v1/reservations/" + reservation.text("id"));
    }

    @Test
    void aReservationShowsItsMovesAndHowFarItMayStillMove() {
        var mine = free("");
        assertThat(mine.text("terms.mobility.maxMoves")).isEqualTo("3");
        assertThat(mine.body().at("/moves").toString())
                .isEqualTo("{\"count\":0,\"left\":3,\"from\":\"%s\",\"to\":\"%s\"}".formatted(at(26), at(40)));

        for (int hour = 26; hour < 32; hour += 2) {
            assertThat(block(hour).status()).isEqualTo(201);
        }

        assertThat(read(mine).text("placement.start")).isEqualTo(at(32));
        assertThat(read(mine).body().at("/moves").toString())
                .isEqualTo("{\"count\":3,\"left\":0,\"from\":null,\"to\":null}");
        assertThat(read(mine).body().at("/movable").asBoolean()).isFalse();
        assertThat(block(32).text("code")).isEqualTo("no-slot");
        var events = client.get("/api/v1/reservations/%s/events".formatted(mine.text("id")));
        assertThat(events.body()
                        .at("/items")
                        .valueStream()
                        .filter(event -> event.path("type").asString().equals("moved"))
                        .map(event -> event.at("/data/moves/left").asInt()))
                .containsExactly(2, 1, 0);
    }

    @Test
    void theTighterBoundsOfTheRequestAndThePolicyCount() {
        admin.patch("/api/v1/clusters/" + cluster, """
                {"policy":{"maxMovesPerReservation":2,"maxShift":"PT3H"}}""");

        var tighter = free(",\"mobility\":{\"maxMoves\":1,\"maxShift\":\"PT9H\",\"notice\":\"PT4H\"}");

        assertThat(tighter.body().at("/terms/mobility").toString())
                .isEqualTo("{\"maxMoves\":1,\"maxShift\":\"PT3H\",\"follow\":null,\"notice\":null}");
        assertThat(tighter.text("terms.fixBefore")).isEqualTo("PT4H");
        assertThat(tighter.text("fixedAt")).isEqualTo(at(22));
        assertThat(tighter.text("moves.to")).isEqualTo(at(31));
        assertThat(block(26).status()).isEqualTo(201);
        assertThat(read(tighter).text("placement.start")).isEqualTo(at(28));
        assertThat(block(28).text("code")).isEqualTo("no-slot");
    }

    @Test
    void fewerMovesCostMoreUpToTheFullPriceOfAFinalPlace() {
        var all = price("");
        var one = price(",\"mobility\":{\"maxMoves\":1}");
        var none = price(",\"mobility\":{\"maxMoves\":0}");

        assertThat(all).isLessThan(one);
        assertThat(one).isLessThan(none);
        assertThat(none).isEqualByComparingTo(price(",\"fixAfter\":0"));
        assertThat(price(",\"mobility\":{\"maxMoves\":9}")).isEqualByComparingTo(all);
        assertThat(price(",\"mobility\":{\"maxShift\":\"PT1H\"}")).isBetween(all, none);
    }

    private BigDecimal price(String more) {
        var dry = request(client, """
                {"terms":%s,"cluster":"%s","dryRun":true}""".formatted(FREE.formatted(at(26), more), cluster));
        return new BigDecimal(dry.text("after.price.amount"));
    }

    @Test
    void anOwnerGetsTheRebateForEachMove() {
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"moveRebate\":0.25}}");
        var mine = free(",\"mobility\":{\"maxShift\":\"PT2H\"}");
        var before = new BigDecimal(mine.text("price.amount"));

        block(26);

        var after = new BigDecimal(read(mine).text("price.amount"));
        assertThat(after).isLessThanOrEqualTo(before.multiply(new BigDecimal("0.76")));
        assertThat(after.signum()).isPositive();
    }

    @Test
    void anOwnerCanChangeTheBounds() {
        var mine = free(",\"mobility\":{\"maxMoves\":1}");

        var changed = client.post("/api/v1/reservations/%s/renegotiations".formatted(mine.text("id")), """
                {"terms":{"mobility":{"maxMoves":2,"maxShift":"PT1H"}}}""");

        assertThat(changed.status()).as(changed.toString()).isLessThan(300);
        assertThat(read(mine).text("terms.mobility.maxMoves")).isEqualTo("2");
        assertThat(read(mine).text("terms.mobility.maxShift")).isEqualTo("PT1H");
        assertThat(read(mine).text("moves.to")).isEqualTo(at(29));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "mobility":{"maxMoves":1} | terms.mobility | needs freedom
            "slack":"PT0S","mobility":{"maxShift":"PT1H"} | terms.mobility | needs freedom
            "slack":"PT1H","mobility":{"maxMoves":-1} | terms.mobility.maxMoves | between 0 and 1000000
            "slack":"PT1H","mobility":{"maxShift":"-PT1H"} | terms.mobility.maxShift | must not be negative
            "slack":"PT1H","fixBefore":"PT1H","mobility":{"notice":"PT2H"} | terms.mobility.notice | fixBefore
            """)
    void wrongBoundsAreNamed(String terms, String field, String message) {
        var refused = request(client, """
                {"terms":{"duration":"PT1H","pes":1,%s},"cluster":"%s"}""".formatted(terms, cluster));

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("errors.0.field")).isEqualTo(field);
        assertThat(refused.text("errors.0.message")).contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"maxMovesPerReservation":0} | policy.maxMovesPerReservation
            {"maxShift":"-PT1S"} | policy.maxShift
            {"moveRebate":1.5} | policy.moveRebate
            """)
    void wrongRulesAreNamed(String policy, String field) {
        var refused = admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":%s}".formatted(policy));

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("errors.0.field")).isEqualTo(field);
    }
}
