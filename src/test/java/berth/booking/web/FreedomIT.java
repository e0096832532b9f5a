package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.math.BigDecimal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run is moved, and costs less, only if its owner asks for freedom. */
class FreedomIT extends ServiceSuite {

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private Api client;

    @SuppressWarnings("NullAway.Init")
    private Api neighbour;

    @BeforeEach
    void createACluster() {
        cluster = newCluster(8);
        client = client();
        neighbour = client();
    }

    @Test
    void aRunAtTheFullPriceIsNeverMoved() {
        var mine = reserve(client, cluster, """
                {"readyTime":"%s","duration":"PT2H","pes":6}""".formatted(at(26)));

        assertThat(mine.text("scenario")).isEqualTo("STRICT");
        assertThat(mine.text("deadlineBy")).isEqualTo("PLACE");
        assertThat(mine.text("terms.readyTime")).isEqualTo(at(26));
        assertThat(mine.text("terms.deadline")).isEqualTo(at(28));
        assertThat(mine.text("price.amount")).isEqualTo("12.00");
        assertThat(mine.body().at("/movable").asBoolean()).isFalse();
        var blocked = request(neighbour, """
                {"terms":{"readyTime":"%s","deadline":"%s","duration":"PT2H","pes":8},"cluster":"%s"}""".formatted(at(26), at(28), cluster));
        assertThat(blocked.text("code")).isEqualTo("no-slot");
        assertThat(read(mine).text("placement.start")).isEqualTo(at(26));
    }

    @Test
    void aRunWithSlackCostsLessAndIsMovedWithinIt() {
        var mine = reserve(client, cluster, """
                {"readyTime":"%s","slack":"PT6H","duration":"PT2H","pes":6}""".formatted(at(26)));
        assertThat(mine.text("scenario")).isEqualTo("INTERVAL");
        assertThat(mine.text("deadlineBy")).isEqualTo("REQUEST");
        assertThat(mine.text("terms.deadline")).isEqualTo(at(34));
        assertThat(new BigDecimal(mine.text("price.amount"))).isLessThan(new BigDecimal("12.00"));

        reserve(neighbour, cluster, """
                {"readyTime":"%s","deadline":"%s","duration":"PT2H","pes":8}""".formatted(at(26), at(28)));

        assertThat(read(mine).text("placement.start")).isEqualTo(at(28));
        assertThat(request(neighbour, """
                {"terms":{"readyTime":"%s","deadline":"%s","duration":"PT6H","pes":8},"cluster":"%s"}""".formatted(at(28), at(34), cluster)).text("code"))
                .isEqualTo("no-slot");
    }

    @Test
    void aChosenStartLeavesFreedomOnlyIfTheTermsGiveIt() {
        var body = """
                {"terms":{"duration":"PT1H","pes":1%s},"start":"%s","cluster":"%s"}""";

        var stays = request(client, body.formatted("", at(27), cluster));
        var moves = request(
                client,
                body.formatted(",\"slack\":\"PT9H\",\"readyTime\":\"" + at(27) + "\",\"fixAfter\":1", at(27), cluster));

        assertThat(stays.text("scenario")).isEqualTo("STRICT");
        assertThat(stays.text("terms.deadline")).isEqualTo(at(28));
        assertThat(moves.text("placement.start")).isEqualTo(at(27));
        assertThat(moves.body().at("/movable").asBoolean()).isTrue();
        assertThat(new BigDecimal(moves.text("price.amount"))).isLessThan(new BigDecimal(stays.text("price.amount")));
    }

    @Test
    void theDefaultSlackOfAClusterCountsUnlessItIsDeclined() {
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"defaultSlack\":\"PT4H\"}}");
        assertThat(client.get("/api/v1/clusters/" + cluster).text("policy.defaultSlack"))
                .isEqualTo("PT4H");

        var byDefault = reserve(client, cluster, """
                {"readyTime":"%s","duration":"PT2H","pes":1}""".formatted(at(26)));
        var declined = reserve(client, cluster, """
                {"readyTime":"%s","duration":"PT2H","pes":1,"slack":"PT0S"}""".formatted(at(26)));

        assertThat(byDefault.text("deadlineBy")).isEqualTo("DEFAULT_SLACK");
        assertThat(byDefault.text("terms.deadline")).isEqualTo(at(32));
        assertThat(declined.text("deadlineBy")).isEqualTo("PLACE");
        assertThat(declined.text("terms.deadline")).isEqualTo(at(28));
    }

    @Test
    void aDeadlineBeyondTheHorizonCountsAsItsEnd() {
        var far = reserve(client, cluster, """
                {"readyTime":"%s","deadline":"2099-01-01T00:00:00Z","duration":"PT2H","pes":1}""".formatted(at(26)));

        assertThat(far.text("deadlineBy")).isEqualTo("HORIZON");
    }

    @Test
    void aRequestThatLeavesNoChoiceCannotOrderSlots() {
        var refused = request(client, """
                {"terms":{"duration":"PT1H","pes":1},"cluster":"%s","orderBy":"LOWEST_PRICE"}""".formatted(cluster));
        var both = request(client, """
                {"terms":{"duration":"PT1H","pes":1,"slack":"PT1H","deadline":"%s"},"cluster":"%s"}""".formatted(at(30), cluster));

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text("errors.0.field")).isEqualTo("orderBy");
        assertThat(both.text("errors.0.field")).isEqualTo("terms.slack");
        assertThat(request(client, """
                {"terms":{"duration":"PT1H","pes":1,"slack":"-PT1H"},"cluster":"%s"}""".formatted(cluster)).text("errors.0.message"))
                .isEqualTo("must not be negative");
    }

    @Test
    void aProbeWithoutFreedomShowsThePriceThatIsBooked() {
        reserve(neighbour, cluster, """
                {"readyTime":"%s","duration":"PT2H","pes":8}""".formatted(at(26)));
        var terms = """
                {"readyTime":"%s","duration":"PT2H","pes":4}""".formatted(at(26));

        var probed = client.post("/api/v1/probes", """
                {"terms":%s,"clusters":["%s"]}""".formatted(terms, cluster));
        var booked = reserve(client, cluster, terms);

        assertThat(probed.body().at("/slots/0/price")).isEqualTo(booked.body().at("/price"));
        assertThat(probed.text("slots.0.start")).isEqualTo(at(28)).isEqualTo(booked.text("placement.start"));
    }

    private static Reply request(Api by, String body) {
        return by.post("/api/v1/reservations", body);
    }

    private Reply read(Reply reservation) {
        return client.get("/api/v1/reservations/" + reservation.text("id"));
    }
}
