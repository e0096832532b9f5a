package berth.projects.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the budgets of projects: grants, charges and notifications. */
class BudgetsIT extends ServiceSuite {

    private static final String PROJECTS = "/api/v1/projects";
    private static final String RESERVATIONS = "/api/v1/reservations";

    private final String project = newName();
    private final String path = PROJECTS + "/" + project;
    private final String name = newName();

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private String other;

    @SuppressWarnings("NullAway.Init")
    private Api member;

    @SuppressWarnings("NullAway.Init")
    private String token;

    @BeforeEach
    void makeProject() {
        cluster = newCluster(64);
        other = newCluster(64);
        token = tokenOf(name, "CLIENT");
        member = new Api(port, Optional.of(token));
        made(admin.post(
                PROJECTS, "{\"id\":\"%s\",\"name\":\"=Climate, models\",\"mode\":\"ENFORCE\"}".formatted(project)));
        assertThat(admin.put(path + "/members/" + name, "{\"role\":\"MEMBER\"}").status())
                .isEqualTo(200);
    }

    private static Reply made(Reply reply) {
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(201);
        return reply;
    }

    private Reply grant(String id, String amount, String further) {
        return admin.post(
                path + "/grants",
                "{\"id\":\"%s\",\"amount\":%s,\"until\":\"%s\"%s}".formatted(id, amount, at(24 * 365), further));
    }

    private static String dollars(String amount) {
        return "{\"amount\":\"%s\",\"currency\":\"USD\"}".formatted(amount);
    }

    /** Reserves the given number of PEs for an hour at the start of the next day, at one dollar per PE. */
    private Reply reserve(String where, int pes) {
        return member.post(RESERVATIONS, """
                {"cluster":"%s","project":"%s","name":"=night","terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":%d}}""".formatted(where, project, at(24), at(25), pes));
    }

    private String available() {
        return member.get(path + "/balance").text("available.amount");
    }

    @Test
    void noClusterGrantsAReservationThatTheProjectCannotPay() {
        assertThat(reserve(cluster, 1).text("errors.0.field")).isEqualTo("project");
        made(grant("q1", dollars("10.00"), ""));
        made(reserve(cluster, 4));

        var refused = reserve(other, 8);

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text("code")).isEqualTo("budget-exceeded");
        assertThat(refused.text("detail")).contains("6.00 USD", "8.00 USD");
        var id = made(reserve(other, 6)).text("id");
        assertThat(available()).isEqualTo("0.00");
        assertThat(member.post(RESERVATIONS + "/" + id + "/renegotiations", "{\"terms\":{\"pes\":7}}")
                        .text("code"))
                .isEqualTo("budget-exceeded");
        assertThat(member.post(RESERVATIONS + "/" + id + "/cancel").status()).isEqualTo(200);
        assertThat(available()).isEqualTo("6.00");
        assertThat(admin.patch(path, "{\"mode\":\"TRACK\"}").text("mode")).isEqualTo("TRACK");
        made(reserve(other, 8));
        assertThat(available()).isEqualTo("-2.00");
    }

    @Test
    void theOccurrencesOfASeriesThatCannotBePaidAreRefused() {
        made(grant("q1", dollars("10.00"), ""));

        var asked = """
                {"cluster":"%s","project":"%s","terms":{"duration":"PT1H","pes":4},
                 "recurrence":{"rrule":"FREQ=DAILY;COUNT=4","dtstart":"%s","zone":"UTC"},"onConflict":"ANY"}""".formatted(cluster, project, at(48).substring(0, 19));
        var tried = member.post("/api/v1/series", asked.replaceFirst("}$", ",\"dryRun\":true}"));
        assertThat(tried.status()).as("%s", tried).isEqualTo(200);
        assertThat(available()).isEqualTo("10.00");

        var series = made(member.post("/api/v1/series", asked));

        assertThat(tried.body().at("/occurrences").findValuesAsString("state"))
                .isEqualTo(series.body().at("/occurrences").findValuesAsString("state"))
                .containsExactly("BOOKED", "BOOKED", "REFUSED", "REFUSED");
        assertThat(series.body().at("/occurrences").findValuesAsString("reason"))
                .filteredOn(reason -> !reason.isEmpty())
                .containsOnly("budget-exceeded");
        assertThat(available()).isEqualTo("2.00");
    }

    @Test
    void budgetsInPeHoursCountReservedPeHours() {
        made(grant("q1", "{\"peHours\":10}", ",\"creditLimit\":{\"peHours\":0.5}"));
        made(reserve(cluster, 8));

        var balance = member.get(path + "/balance");

        assertThat(balance.body().at("/held/peHours").decimalValue()).isEqualByComparingTo("8");
        assertThat(balance.body().at("/available/peHours").decimalValue()).isEqualByComparingTo("2.5");
        assertThat(reserve(other, 3).text("detail")).contains("2.5 PE-hours", "3 PE-hours");
    }

    @Test
    void theEntriesOfTheLedgerAddUpToTheBalance() {
        made(grant("q1", dollars("10.00"), ""));
        var id = made(reserve(cluster, 4)).text("id");
        member.post(RESERVATIONS + "/" + id + "/renegotiations", "{\"terms\":{\"pes\":2}}");
        member.post(RESERVATIONS + "/" + id + "/cancel");

        var entries = member.get(path + "/ledger").body().at("/items");

        assertThat(entries.findValuesAsString("kind")).containsExactly("GRANT", "HOLD", "ADJUST", "RELEASE");
        assertThat(entries.valueStream().map(entry -> entry.at("/amount/amount").asString()))
                .containsExactly("10.00", "4.00", "-2.00", "2.00");
        assertThat(entries.at("/1/reservation").asString()).isEqualTo(id);
        assertThat(entries.at("/2/version").asInt()).isEqualTo(1);
        var first = member.get(path + "/ledger?limit=1");
        assertThat(member.get(path + "/ledger?limit=100&after=" + first.text("next"))
                        .body()
                        .at("/items")
                        .findValuesAsString("kind"))
                .containsExactly("HOLD", "ADJUST", "RELEASE");
        assertThat(member.get(path + "/ledger?after=nonsense").status()).isEqualTo(400);
    }

    @Test
    void chargesAreReportedAsAListAndAsFiles() throws Exception {
        made(grant("q1", dollars("10.00"), ""));
        var id = made(member.post(
                        RESERVATIONS,
                        "{\"cluster\":\"%s\",\"project\":\"%s\",\"name\":\"=night, one\",\"terms\":{\"duration\":\"PT1H\",\"pes\":4}}"
                                .formatted(cluster, project)))
                .text("id");
        awaitState(id, "RUNNING");
        assertThat(member.post(RESERVATIONS + "/" + id + "/complete").status()).isEqualTo(200);

        var charges = member.get(path + "/charges");

        assertThat(charges.text("items.0.reservation")).isEqualTo(id);
        assertThat(charges.text("items.0.price.amount")).isEqualTo("4.00");
        assertThat(charges.body().at("/items/0/peHours/booked").decimalValue()).isEqualByComparingTo("4");
        assertThat(charges.text("sums.0.total.amount")).isEqualTo("4.00");
        assertThat(member.get(path + "/balance").text("charged.amount")).isEqualTo("4.00");
        var lines = file(path + "/charges.csv").body().split("\r\n");
        assertThat(lines).hasSize(3);
        assertThat(lines[1]).contains(id, "\"'=night, one\"", ",USD,4.00,0.00,4,4,");
        assertThat(lines[2]).startsWith("sum,1,").contains(",USD,4.00,0.00,4,4,");
        var focus =
                file(path + "/focus.csv?month=" + at(0).substring(0, 7)).body().split("\r\n");
        var columns = Arrays.asList(focus[0].split(","));
        assertThat(columns).contains("CapacityReservationId", "CapacityReservationStatus", "SubAccountId");
        assertThat(focus[0]).doesNotContain("\"");
        int cost = columns.indexOf("BilledCost");
        var total = Arrays.stream(focus)
                .skip(1)
                .map(line -> new BigDecimal(line.split(",")[cost]))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        assertThat(total).isEqualByComparingTo("4.00");
        assertThat(focus).anyMatch(line -> line.contains(",Unused,"));
    }

    @Test
    void aRunThatLostPesIsChargedAndCreditedInOneItem() throws Exception {
        made(grant("q1", dollars("10.00"), ""));
        var id = made(member.post(
                        RESERVATIONS,
                        "{\"cluster\":\"%s\",\"project\":\"%s\",\"terms\":{\"duration\":\"PT1H\",\"pes\":4}}"
                                .formatted(cluster, project)))
                .text("id");
        awaitState(id, "RUNNING");
        pass(Duration.ofMinutes(30));
        // all PEs but two
        made(admin.post("/api/v1/clusters/%s/outages".formatted(cluster), "{\"pes\":62}"));
        pass(Duration.ofMinutes(30));

        var charges = member.get(path + "/charges");

        assertThat(charges.body().path("items")).hasSize(1);
        assertThat(charges.text("items.0.reservation")).isEqualTo(id);
        assertThat(charges.text("items.0.price.amount")).isEqualTo("3.00");
        assertThat(charges.text("items.0.credit.amount")).isEqualTo("1.00");
        for (var hours : List.of("booked", "charged", "used")) {
            assertThat(charges.body().at("/items/0/peHours/" + hours).decimalValue())
                    .as(hours)
                    .isEqualByComparingTo("3");
        }
        assertThat(charges.text("sums.0.reservations")).isEqualTo("1");
        assertThat(charges.text("sums.0.total.amount")).isEqualTo("2.00");
        var lines = file(path + "/charges.csv").body().split("\r\n");
        assertThat(lines).hasSize(3);
        assertThat(lines[1]).contains(id, ",USD,3.00,1.00,3,3,3,0");
        assertThat(lines[2]).startsWith("sum,1,").contains(",USD,3.00,1.00,3,3,3,0");
        assertThat(file(path + "/focus.csv?month=" + month(charges, 0)).body())
                .contains("Reserved PE-hours that were used", "Credit for PEs that the run lost");
        assertThat(member.get(path + "/balance").text("charged.amount")).isEqualTo("3.00");
    }

    @Test
    void timeThatAProjectReturnedIsTakenOffItsChargesOnceOthersWereChargedForIt() throws Exception {
        admin.patch("/api/v1/clusters/" + cluster, "{\"tariff\":{\"returnShare\":0.5}}");
        made(grant("q1", dollars("100.00"), ""));
        var run = "{\"cluster\":\"%s\"%s,\"terms\":{\"duration\":\"%s\",\"pes\":64}}";
        var id = made(member.post(RESERVATIONS, run.formatted(cluster, ",\"project\":\"" + project + "\"", "PT1H")))
                .text("id");
        awaitState(id, "RUNNING");
        pass(Duration.ofMinutes(30));
        var returned = member.post(RESERVATIONS + "/" + id + "/complete");
        double atOnce = amount(returned, "returnCredit");
        assertThat(atOnce).isBetween(15.5, 16.0);
        assertThat(amount(returned, "returnCreditOpen")).isBetween(atOnce, atOnce + 0.01);

        made(client().post(RESERVATIONS, run.formatted(cluster, "", "PT20M")));
        pass(Duration.ofMinutes(21));

        for (int i = 0; i < 100 && amount(member.get(RESERVATIONS + "/" + id), "returnCredit") == atOnce; i++) {
            Thread.sleep(100);
        }
        var credited = member.get(RESERVATIONS + "/" + id);
        var owed = credited.text("price.amount");
        double later = amount(credited, "returnCredit") - atOnce;
        assertThat(later).isBetween(10.0, 10.7);
        assertThat(credited.text("state")).isEqualTo("COMPLETED");
        assertThat(member.get(RESERVATIONS + "/" + id + "/events").body().findValuesAsString("type"))
                .contains("completed", "return-credited");
        var amount = BigDecimal.valueOf(later).setScale(2, RoundingMode.HALF_UP).toPlainString();
        var ledger = member.get(path + "/ledger").body().path("items");
        assertThat(ledger.findValuesAsString("kind")).containsExactly("GRANT", "HOLD", "RELEASE", "CHARGE", "RETURN");
        assertThat(ledger.path(4).at("/amount/amount").asString()).isEqualTo(amount);
        assertThat(member.get(path + "/balance").text("charged.amount")).isEqualTo(owed);
        // a month may have ended since
        var charges = member.get(path + "/charges?from=" + at(0));
        assertThat(charges.body().path("items")).hasSize(2);
        assertThat(charges.text("items.1.price.amount")).isEqualTo("-" + amount);
        assertThat(charges.text("sums.0.reservations")).isEqualTo("1");
        assertThat(charges.text("sums.0.price.amount")).isEqualTo(owed);
        assertThat(file(path + "/charges.csv?from=" + at(0)).body()).contains(",USD,-%s,0.00,0,-".formatted(amount));
        assertThat(file(path + "/focus.csv?month=" + month(charges, 1)).body())
                .contains("Credit for returned PE-time that others booked", "-" + amount);
        pass(Duration.ofMinutes(40));
        for (int i = 0; i < 100 && has(member.get(RESERVATIONS + "/" + id), "returnCreditOpen"); i++) {
            Thread.sleep(100);
        }
        assertThat(has(member.get(RESERVATIONS + "/" + id), "returnCreditOpen")).isFalse();
        assertThat(member.get(RESERVATIONS + "/" + id).text("price.amount")).isEqualTo(owed);
    }

    /** Returns the month of a charge. */
    private static String month(Reply charges, int number) {
        return charges.text("items.%d.at".formatted(number)).substring(0, 7);
    }

    private static double amount(Reply reservation, String field) {
        return Double.parseDouble(reservation.text(field + ".amount"));
    }

    private static boolean has(Reply reservation, String field) {
        return reservation.body().hasNonNull(field);
    }

    private void awaitState(String id, String state) throws InterruptedException {
        for (int i = 0;
                i < 100 && !member.get(RESERVATIONS + "/" + id).text("state").equals(state);
                i++) {
            Thread.sleep(100);
        }
        assertThat(member.get(RESERVATIONS + "/" + id).text("state")).isEqualTo(state);
    }

    private HttpResponse<String> file(String where) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://localhost:%d%s".formatted(port, where)))
                    .header("Authorization", "Bearer " + token)
                    .timeout(Duration.ofSeconds(20))
                    .build();
            var response = client.send(request, BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type").orElseThrow())
                    .startsWith("text/csv");
            return response;
        }
    }

    @Test
    void aLateCancellationIsCharged() {
        admin.patch(
                "/api/v1/clusters/" + cluster,
                "{\"tariff\":{\"cancellation\":{\"freeUntil\":\"P2D\",\"share\":0.25}}}");
        made(grant("q1", dollars("10.00"), ""));
        var id = made(reserve(cluster, 4)).text("id");

        assertThat(member.post(RESERVATIONS + "/" + id + "/cancel").text("price.amount"))
                .isEqualTo("1.00");

        assertThat(available()).isEqualTo("9.00");
        var wrong = admin.patch("/api/v1/clusters/" + cluster, "{\"tariff\":{\"cancellation\":{\"share\":2}}}");
        assertThat(wrong.text("errors.0.field")).isEqualTo("tariff.cancellation.share");
    }

    @Test
    void anEventReportsThatABudgetIsNearlySpent() {
        made(grant("q1", dollars("10.00"), ""));
        made(reserve(cluster, 8));
        made(reserve(cluster, 2));

        var told = member.get("/api/v1/events?limit=500&project=" + project)
                .body()
                .at("/items")
                .valueStream()
                .filter(event -> !event.at("/data/percent").isMissingNode())
                .toList();

        assertThat(told).extracting(event -> event.path("type").asString()).containsOnly("budget-low");
        assertThat(told).extracting(event -> event.at("/data/percent").asInt()).containsExactly(80, 100);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"id":"a b","amount":{"peHours":1},"until":"2099-01-01T00:00:00Z"} | 422 | id
            {"id":"g","amount":{"peHours":-1},"until":"2099-01-01T00:00:00Z"} | 400 | amount.peHours
            {"id":"g","amount":{"peHours":0},"until":"2099-01-01T00:00:00Z"} | 422 | amount
            {"id":"g","amount":{"peHours":0.001},"until":"2099-01-01T00:00:00Z"} | 400 | amount.peHours
            {"id":"g","amount":{"amount":"-5","currency":"USD"},"until":"2099-01-01T00:00:00Z"} | 400 | amount.amount
            {"id":"g","amount":{"amount":"5","currency":"XXQ"},"until":"2099-01-01T00:00:00Z"} | 400 | amount.currency
            {"id":"g","amount":{"amount":"5","currency":"USD","peHours":1},"until":"2099-01-01T00:00:00Z"} | 400 | amount
            {"id":"g","amount":{"amount":"5","currency":"USD"},"until":"2020-01-01T00:00:00Z"} | 422 | until
            {"id":"g","amount":{"amount":"5","currency":"USD"}} | 400 | until
            {"id":"g","until":"2099-01-01T00:00:00Z"} | 400 | amount
            {"id":"g","amount":{"amount":"5","currency":"USD"},"creditLimit":{"peHours":1},"until":"2099-01-01T00:00:00Z"} | 422 | creditLimit
            """)
    void aMalformedGrantIsRejected(String body, int status, String field) {
        var reply = admin.post(path + "/grants", body);

        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
        assertThat(reply.text("errors.0.field")).isEqualTo(field);
    }

    @Test
    void grantsAreOfOneUnitAndHaveTheirNamesOnce() {
        made(grant("q1", dollars("10.00"), ""));

        assertThat(grant("q1", dollars("10.00"), "").text("code")).isEqualTo("exists");
        var euros = grant("q2", "{\"amount\":\"5.00\",\"currency\":\"EUR\"}", "");
        assertThat(euros.status()).isEqualTo(422);
        assertThat(euros.text("errors.0.message")).contains("USD");
        assertThat(member.post(path + "/grants", "{}").status()).isEqualTo(403);
        assertThat(admin.post(PROJECTS + "/nothing/grants", "{}").status()).isEqualTo(404);
        assertThat(admin.delete(path + "/grants/q1").status()).isEqualTo(200);
        assertThat(available()).isEqualTo("0.00");
        assertThat(admin.delete(path + "/grants/q1").status()).isEqualTo(404);
        assertThat(member.patch(path, "{\"mode\":\"TRACK\"}").status()).isEqualTo(403);
        assertThat(member.get(path + "/charges?from=tomorrow").text("errors.0.field"))
                .isEqualTo("from");
        assertThat(member.get(path + "/focus.csv").text("errors.0.field")).isEqualTo("month");
        assertThat(List.of("/balance", "/grants", "/ledger", "/charges", "/charges.csv", "/focus.csv?month=2027-01"))
                .allSatisfy(call -> assertThat(new Api(port, Optional.of(tokenOf(newName(), "CLIENT")))
                                .get(path + call)
                                .status())
                        .isEqualTo(404));
    }
}
