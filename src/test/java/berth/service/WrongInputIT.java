package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api.Reply;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Common mistakes: Berth returns a problem document that names the field and the remedy. */
class WrongInputIT extends ServiceSuite {

    private static final String FINE = "\"duration\":\"PT1H\",\"pes\":4";

    private static final String LINEAR = "\"duration\":\"PT1H\",\"moldability\":{\"speedup\":\"LINEAR\"}";

    static Stream<Arguments> wrongTerms() {
        return Stream.of(
                Arguments.of("{}", 400, "malformed", "terms.duration"),
                Arguments.of("{\"duration\":\"PT1H\"}", 400, "malformed", "terms.pes"),
                Arguments.of("{\"duration\":\"1h\",\"pes\":4}", 400, "malformed", "terms.duration"),
                Arguments.of("{\"duration\":\"P1M\",\"pes\":4}", 400, "malformed", "terms.duration"),
                Arguments.of("{\"duration\":\"PT0S\",\"pes\":4}", 422, "invalid-terms", "terms.duration"),
                Arguments.of("{\"duration\":\"-PT1H\",\"pes\":4}", 422, "invalid-terms", "terms.duration"),
                Arguments.of("{\"duration\":\"P91D\",\"pes\":4}", 422, "invalid-terms", "terms.duration"),
                Arguments.of("{\"duration\":\"PT1H\",\"pes\":0}", 422, "invalid-terms", "terms.pes"),
                Arguments.of("{\"duration\":\"PT1H\",\"pes\":-4}", 422, "invalid-terms", "terms.pes"),
                Arguments.of("{\"duration\":\"PT1H\",\"pes\":1.5}", 400, "malformed", "terms.pes"),
                Arguments.of("{\"duration\":\"PT1H\",\"pes\":\"4\"}", 400, "malformed", "terms.pes"),
                Arguments.of("{\"duration\":\"PT1H\",\"pes\":99999999999}", 400, "malformed", "terms.pes"),
                Arguments.of("{\"duration\":3600,\"pes\":4}", 400, "malformed", "terms.duration"),
                Arguments.of("{\"duration\":\"PT1H\",\"pes\":65}", 422, "never-fits", "terms.pes"),
                Arguments.of("{" + FINE + ",\"readyTime\":\"tomorrow\"}", 400, "malformed", "terms.readyTime"),
                Arguments.of(
                        "{" + FINE + ",\"readyTime\":\"2027-01-02T12:00:00\"}", 400, "malformed", "terms.readyTime"),
                Arguments.of(
                        "{" + FINE + ",\"readyTime\":\"2026-01-02T12:00:00Z\"}",
                        422,
                        "invalid-terms",
                        "terms.readyTime"),
                Arguments.of(
                        "{" + FINE + ",\"readyTime\":\"2028-01-02T12:00:00Z\"}",
                        422,
                        "invalid-terms",
                        "terms.readyTime"),
                Arguments.of(
                        "{" + FINE + ",\"readyTime\":\"{720}\",\"deadline\":\"{719}\"}",
                        422,
                        "invalid-terms",
                        "terms.deadline"),
                Arguments.of(
                        "{\"pes\":4,\"duration\":\"PT2H\",\"readyTime\":\"{720}\",\"deadline\":\"{721}\"}",
                        422,
                        "invalid-terms",
                        "terms.duration"),
                Arguments.of("{" + FINE + ",\"budget\":12}", 400, "malformed", "terms.budget"),
                Arguments.of(
                        "{" + FINE + ",\"budget\":{\"amount\":\"0\",\"currency\":\"USD\"}}",
                        422,
                        "invalid-terms",
                        "terms.budget"),
                Arguments.of(
                        "{" + FINE + ",\"budget\":{\"amount\":\"-1\",\"currency\":\"USD\"}}",
                        400,
                        "malformed",
                        "terms.budget.amount"),
                Arguments.of(
                        "{" + FINE
                                + ",\"budget\":{\"amount\":\"123456789012345678901234567890\",\"currency\":\"USD\"}}",
                        400,
                        "malformed",
                        "terms.budget.amount"),
                Arguments.of(
                        "{" + FINE + ",\"budget\":{\"amount\":\"1.005\",\"currency\":\"USD\"}}",
                        422,
                        "invalid-terms",
                        "terms.budget"),
                Arguments.of(
                        "{" + FINE + ",\"budget\":{\"amount\":\"1\",\"currency\":\"EUR\"}}",
                        422,
                        "invalid-terms",
                        "terms.budget"),
                Arguments.of(
                        "{" + FINE + ",\"budget\":{\"amount\":\"1\",\"currency\":\"dollars\"}}",
                        400,
                        "malformed",
                        "terms.budget.currency"),
                Arguments.of("{" + FINE + ",\"nodes\":4}", 400, "malformed", "terms.nodes"),
                Arguments.of("{" + FINE + ",\"minPes\":4}", 422, "invalid-terms", "terms.pes"),
                Arguments.of(
                        "{" + FINE + ",\"moldability\":{\"speedup\":\"LINEAR\"}}", 422, "invalid-terms", "terms.pes"),
                Arguments.of("{\"duration\":\"PT1H\",\"minPes\":4}", 400, "malformed", "terms.moldability"),
                Arguments.of("{" + LINEAR + ",\"minPes\":8,\"maxPes\":4}", 422, "invalid-terms", "terms.maxPes"),
                Arguments.of("{" + LINEAR + ",\"maxPes\":4}", 400, "malformed", "terms.minPes"),
                Arguments.of(
                        "{\"duration\":\"PT1H\",\"minPes\":2,\"maxPes\":4,\"moldability\":{\"speedup\":\"CUBIC\"}}",
                        400,
                        "malformed",
                        "terms.moldability.speedup"),
                Arguments.of(
                        "{\"duration\":\"PT1H\",\"minPes\":2,\"maxPes\":4,\"moldability\":{\"speedup\":\"AMDAHL\"}}",
                        422,
                        "invalid-terms",
                        "terms.moldability.serialFraction"),
                Arguments.of(
                        "{\"moldability\":{\"runtimes\":{\"4\":\"PT1H\",\"8\":\"PT2H\"}}}",
                        422,
                        "invalid-terms",
                        "terms.moldability.runtimes"),
                Arguments.of(
                        "{\"moldability\":{\"runtimes\":{\"four\":\"PT1H\"}}}",
                        400,
                        "malformed",
                        "terms.moldability.runtimes.four"),
                Arguments.of(
                        "{\"moldability\":{\"runtimes\":{\"4\":\"PT1H\"},\"speedup\":\"LINEAR\"}}",
                        422,
                        "invalid-terms",
                        "terms.moldability.speedup"),
                Arguments.of(
                        "{\"duration\":\"PT2H\",\"moldability\":{\"runtimes\":{\"4\":\"PT1H\"}}}",
                        422,
                        "invalid-terms",
                        "terms.duration"),
                Arguments.of(
                        "{\"minPes\":2,\"moldability\":{\"runtimes\":{\"4\":\"PT1H\"}}}",
                        422,
                        "invalid-terms",
                        "terms.minPes"),
                Arguments.of(
                        "{\"maxPes\":8,\"moldability\":{\"runtimes\":{\"4\":\"PT1H\"}}}",
                        422,
                        "invalid-terms",
                        "terms.maxPes"),
                Arguments.of("{" + LINEAR + ",\"minPes\":65,\"maxPes\":66}", 422, "never-fits", "terms.minPes"),
                Arguments.of(
                        "{\"moldability\":{\"runtimes\":{\"65\":\"PT1H\"}}}",
                        422,
                        "never-fits",
                        "terms.moldability.runtimes"),
                Arguments.of(
                        "{" + FINE + ",\"preemption\":{\"step\":0}}", 422, "invalid-terms", "terms.preemption.step"),
                Arguments.of(
                        "{" + FINE + ",\"preemption\":{\"step\":0.3}}", 422, "invalid-terms", "terms.preemption.step"),
                Arguments.of("{" + FINE + ",\"preemption\":{}}", 400, "malformed", "terms.preemption.step"),
                Arguments.of(
                        "{" + FINE + ",\"preemption\":{\"steps\":101}}",
                        422,
                        "invalid-terms",
                        "terms.preemption.steps"),
                Arguments.of(
                        "{" + FINE + ",\"preemption\":{\"step\":0.5,\"steps\":2}}",
                        422,
                        "invalid-terms",
                        "terms.preemption.steps"),
                Arguments.of(
                        "{\"pes\":1,\"duration\":\"PT2S\",\"preemption\":{\"steps\":3}}",
                        422,
                        "invalid-terms",
                        "terms.preemption.steps"),
                Arguments.of(
                        "{\"pes\":1,\"duration\":\"PT2S\",\"preemption\":{\"step\":0.1}}",
                        422,
                        "invalid-terms",
                        "terms.preemption.step"),
                Arguments.of(
                        "{" + FINE + ",\"preemption\":{\"step\":0.5,\"maxParts\":3}}",
                        422,
                        "invalid-terms",
                        "terms.preemption.maxParts"),
                Arguments.of("{" + FINE + ",\"autoExtend\":{}}", 400, "malformed", "terms.autoExtend.step"),
                Arguments.of(
                        "{" + FINE + ",\"autoExtend\":{\"step\":\"PT59S\",\"until\":\"2036-01-01T00:00:00Z\"}}",
                        422,
                        "invalid-terms",
                        "terms.autoExtend.step"),
                Arguments.of(
                        "{" + FINE + ",\"autoExtend\":{\"step\":\"PT1H\",\"until\":\"2006-01-01T00:00:00Z\"}}",
                        422,
                        "invalid-terms",
                        "terms.autoExtend.until"),
                Arguments.of(
                        "{" + FINE + ",\"autoExtend\":{\"step\":\"PT1H\",\"until\":\"soon\"}}",
                        400,
                        "malformed",
                        "terms.autoExtend.until"),
                Arguments.of(
                        "{" + LINEAR
                                + ",\"minPes\":1,\"maxPes\":2,\"autoExtend\":{\"step\":\"PT1H\",\"until\":\"2036-01-01T00:00:00Z\"}}",
                        422,
                        "invalid-terms",
                        "terms.autoExtend"),
                Arguments.of("{" + FINE + ",\"fixAfter\":1.5}", 422, "invalid-terms", "terms.fixAfter"),
                Arguments.of("{" + FINE + ",\"fixAfter\":\"half\"}", 400, "malformed", "terms.fixAfter"),
                Arguments.of("{" + FINE + ",\"fixBefore\":\"-PT1H\"}", 422, "invalid-terms", "terms.fixBefore"),
                Arguments.of("{" + FINE + ",\"requires\":{\"a b\":\"c\"}}", 422, "invalid-terms", "terms.requires"),
                Arguments.of("{" + FINE + ",\"requires\":{\"gpu\":null}}", 400, "malformed", "terms.requires.gpu"),
                Arguments.of("{" + FINE + ",\"requires\":{\"gpu\":\"a100\"}}", 422, "never-fits", "terms.requires"),
                Arguments.of("{\"pes\":4,\"pes\":5,\"duration\":\"PT1H\"}", 400, "malformed", "pes"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"terms":{"duration":7200,"pes":4}}                                     | terms.duration      | must be a text in quotes; two hours are "PT2H"
        {"terms":{"duration":"PT1H","pes":4,"readyTime":1800000000}}            | terms.readyTime     | an instant is "2027-01-31T14:00:00Z"
        {"terms":{"duration":"PT1H","pes":"4"}}                                 | terms.pes           | must be a whole number
        {"terms":{"duration":"PT1H","pes":4.5}}                                 | terms.pes           | must be a whole number
        {"terms":{"duration":"PT1H","pes":99999999999}}                         | terms.pes           | must be a whole number within its range
        {"terms":{"duration":"PT1H","pes":4,"fixAfter":"0.5"}}                  | terms.fixAfter      | must be a number without quotes
        {"terms":{"duration":"PT1H","pes":4,"budget":{"amount":true}}}          | terms.budget.amount | must be a text in quotes
        {"terms":{"duration":"PT1H","pes":4,"budget":{"amount":1e9999999,"currency":"USD"}}} | terms.budget.amount | must be a decimal number
        """)
    void theProblemShowsTheRightFormOfAValueOfAnotherType(String body, String field, String form) {
        var reply = admin.post("/api/v1/reservations", body);

        assertProblem(reply, 400, "malformed");
        assertThat(reply.text("errors.0.field")).isEqualTo(field);
        assertThat(reply.text("errors.0.message")).contains(form);
    }

    @Test
    void amountsAndLabelsMayBeNumbers() {
        var created = admin.post("/api/v1/clusters", """
                {"id":"numbers","pes":4,"labels":{"mem":512,"os":"linux"},"tariff":{"pricePerPeHour":1.5}}""");
        var granted = admin.post("/api/v1/reservations", """
                {"cluster":"numbers","terms":{"duration":"PT1H","pes":4.0,"requires":{"mem":256},\
                "budget":{"amount":8.0,"currency":"USD"}}}""");
        var refused = admin.post("/api/v1/reservations", """
                {"cluster":"numbers","terms":{"duration":"PT1H","pes":4,"requires":{"mem":1024}}}""");

        assertThat(created.text("labels.mem")).as("%s", created).isEqualTo("512");
        assertThat(created.text("tariff.pricePerPeHour")).isEqualTo("1.50");
        assertThat(granted.status()).as("%s", granted).isEqualTo(201);
        assertThat(granted.text("terms.budget.amount")).isEqualTo("8.00");
        assertThat(granted.text("terms.requires.mem")).isEqualTo("256");
        assertThat(refused.text("errors.0.message")).isEqualTo("the cluster carries mem=512, which is less than 1024");
    }

    @ParameterizedTest
    @MethodSource("wrongTerms")
    void wrongTermsAreNamed(String terms, int status, String code, String field) {
        for (var path : new String[] {"/api/v1/reservations", "/api/v1/probes"}) {
            var where = path.endsWith("probes") ? "\"clusters\":[\"demo\"]" : "\"cluster\":\"demo\"";
            var dated =
                    terms.replace("{719}", at(719)).replace("{720}", at(720)).replace("{721}", at(721));
            var reply = admin.post(path, "{\"terms\":%s,%s}".formatted(dated, where));
            if (path.endsWith("probes") && code.equals("never-fits")) {
                assertThat(reply.text("reason.code")).isEqualTo(code);
            } else {
                assertProblem(reply, status, code);
                assertThat(reply.text("errors.0.field")).isEqualTo(field);
            }
        }
    }

    /** JSON Schema, and so the OpenAPI document, counts 4.0 as an integer. */
    @Test
    void aWholeNumberMayHaveZerosBehindItsPoint() {
        for (var pes : new String[] {"4.0", "4e0", "0.4e1"}) {
            var reply = admin.post("/api/v1/probes", """
                    {"terms":{"duration":"PT1H","pes":%s},"clusters":["demo"]}""".formatted(pes));
            assertThat(reply.status()).as(pes).isEqualTo(200);
        }
        for (var pes : new String[] {"4.5", "1e400", "4e-1"}) {
            var reply = admin.post("/api/v1/probes", """
                    {"terms":{"duration":"PT1H","pes":%s},"clusters":["demo"]}""".formatted(pes));
            assertProblem(reply, 400, "malformed");
            assertThat(reply.text("errors.0.field")).isEqualTo("terms.pes");
        }
    }

    @Test
    void aCompressedBodyIsNotReadAsText() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(bytes)) {
            zip.write("{\"terms\":{%s}}".formatted(FINE).getBytes(StandardCharsets.UTF_8));
        }
        var reply = admin.send(admin.request("/api/v1/probes")
                .header("Content-Type", "application/json")
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(bytes.toByteArray())));

        assertProblem(reply, 415, "unsupported-media-type");
        assertThat(reply.text("detail")).contains("Content-Encoding: gzip");
    }

    @Test
    void aDoubledFieldIsNamed() {
        var reply = admin.post("/api/v1/probes", "{\"terms\":{\"duration\":\"PT1H\",\"pes\":4,\"pes\":5}}");

        assertProblem(reply, 400, "malformed");
        assertThat(reply.text("detail")).contains("the field pes twice");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"terms":{"duration":"PT1H","pes":4},"acceptAlternatives":{"maxPhi":1001}}   | 422 | invalid-terms
        {"terms":{"duration":"PT1H","pes":4},"acceptAlternatives":{"phi":1}}         | 400 | malformed
        {"terms":{"duration":"PT1H","pes":4},"clusters":[]}                          | 422 | invalid-terms
        {"terms":{"duration":"PT1H","pes":4},"clusters":["nowhere"]}                 | 422 | invalid-terms
        {"terms":{"duration":"PT1H","pes":4},"clusters":["demo"],"cluster":"demo"}   | 422 | invalid-terms
        {"terms":{"duration":"PT1H","pes":4},"clusters":"demo"}                      | 400 | malformed
        {"terms":{"duration":"PT1H","pes":4},"hold":"PT0S"}                          | 422 | invalid-terms
        {"terms":{"duration":"PT1H","pes":4},"start":"2026-01-01T00:00:00Z"}         | 422 | invalid-terms
        {"terms":{"duration":"PT1H","pes":4},"orderBy":{"price":0.5}}                | 422 | invalid-terms
        {"terms":{"duration":"PT1H","pes":4},"cluster":"nowhere"}                    | 404 | not-found
        {"terms":{"duration":"PT1H","pes":4},"cluster":"demo","hold":"PT0S"}         | 422 | invalid-terms
        {"terms":{"duration":"PT1H","pes":4},"cluster":"demo","hold":"five minutes"} | 400 | malformed
        {"terms":{"duration":"PT1H","pes":4},"cluster":"demo","start":"now"}         | 400 | malformed
        {"terms":{"duration":"PT1H","pes":4},"cluster":"demo","start":"2026-01-01T00:00:00Z"} | 422 | invalid-terms
        {"terms":{"duration":"PT1H","pes":4},"cluster":"demo","name":"a\\u0000b"}    | 400 | malformed
        {"terms":{"duration":"PT1H","pes":4},"cluster":"demo","name":"\\ud800"}      | 400 | malformed
        {"terms":{"duration":"PT1H","pes":4},"cluster":"demo","acceptAlternatives":{"maxPhi":-1}} | 422 | invalid-terms
        {"cluster":"demo"}                                                           | 400 | malformed
        {"terms":null,"cluster":"demo"}                                              | 400 | malformed
        {"terms":[],"cluster":"demo"}                                                | 400 | malformed
        {"terms":                                                                    | 400 | malformed
        []                                                                           | 400 | malformed
        "terms"                                                                      | 400 | malformed
        {} {}                                                                        | 400 | malformed
        """)
    void wrongReservationsAreRefused(String body, int status, String code) {
        assertProblem(admin.post("/api/v1/reservations", body), status, code);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"pes":4}                                                      | 400 | malformed
        {"id":"Big Cluster","pes":4}                                   | 422 | invalid-terms
        {"id":"x"}                                                     | 400 | malformed
        {"id":"x","pes":0}                                             | 422 | invalid-terms
        {"id":"demo","pes":4}                                          | 409 | exists
        {"id":"x","pes":65537,"binding":"EARLY"}                       | 422 | invalid-terms
        {"id":"x","pes":4,"policy":{"placement":"BEST_FIT"}}           | 400 | malformed
        {"id":"x","pes":4,"policy":{"placement":1}}                    | 400 | malformed
        {"id":"x","pes":4,"binding":"early"}                           | 400 | malformed
        {"id":"x","pes":4,"binding":0}                                 | 400 | malformed
        {"id":"x","pes":4,"rating":0}                                  | 422 | invalid-terms
        {"id":"x","pes":4,"policy":{"juggling":"OFTEN"}}               | 400 | malformed
        {"id":"x","pes":4,"policy":{"notice":"soon"}}                  | 400 | malformed
        {"id":"x","pes":4,"policy":{"maxSlots":0}}                     | 422 | invalid-terms
        {"id":"x","pes":4,"policy":{"availability":"GUESS"}}           | 400 | malformed
        {"id":"x","pes":4,"intake":{"order":"LOTTERY"}}                | 400 | malformed
        {"id":"x","pes":4,"policy":{"horizon":"P100000D"}}             | 422 | invalid-terms
        {"id":"x","pes":4,"tariff":{"flexibilityDiscount":1.5}}        | 422 | invalid-terms
        {"id":"x","pes":4,"tariff":{"premiumFactor":1e999999999}}      | 422 | invalid-terms
        {"id":"x","pes":4,"tariff":{"latenessScale":0.12345678}}       | 422 | invalid-terms
        {"id":"x","pes":4,"tariff":{"pricePerPeHour":"free"}}          | 400 | malformed
        """)
    void wrongClustersAreRefused(String body, int status, String code) {
        assertProblem(admin.post("/api/v1/clusters", body), status, code);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /api/v1/reservations/17                              | 400 | malformed
        /api/v1/reservations/1-1-1-1-1                       | 400 | malformed
        /api/v1/reservations/0190a000-0000-7000-8000-0000000000aa | 404 | not-found
        /api/v1/reservations?limit=0                         | 400 | malformed
        /api/v1/reservations?limit=501                       | 400 | malformed
        /api/v1/reservations?limit=many                      | 400 | malformed
        /api/v1/reservations?after=17                        | 400 | malformed
        /api/v1/events?after=17                              | 400 | malformed
        /api/v1/events?after=!!                              | 400 | malformed
        /api/v1/clusters?after=nowhere                       | 400 | malformed
        /api/v1/clusters/nowhere                             | 404 | not-found
        /api/v1/clusters/nowhere/schedule                    | 404 | not-found
        /api/v1/clusters/demo/schedule?from=2027-01-01       | 400 | malformed
        /api/v1/clusters/demo/schedule?from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z | 400 | malformed
        /api/v1/clusters/demo/schedule?from=%2B900000000-01-01T00:00:00Z | 400 | malformed
        /api/v1/reservations?state=held                      | 400 | malformed
        /api/v1/reservations?from=yesterday                  | 400 | malformed
        /api/v1/reservations?cluster=                        | 400 | malformed
        /api/v1/reservations?stat=HELD                       | 400 | malformed
        /api/v1/clusters/demo?from=2027-01-01T00:00:00Z      | 400 | malformed
        /api/v1/reservations?limit=%zz                       | 400 | malformed
        /api/v1/reservations?after=%ff                       | 400 | malformed
        /api/v1//clusters                                    | 400 | malformed
        /api/v1/clusters;a=b                                 | 400 | malformed
        /api/v1/reservations?%00=1                           | 400 | malformed
        /error                                               | 404 | not-found
        /api/v1/nothing                                      | 404 | not-found
        /nothing                                             | 404 | not-found
        """)
    void wrongReadingsAreRejected(String path, int status, String code) {
        assertProblem(admin.getRaw(path), status, code);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"terms":{"duration":3600,"pes":4},"cluster":"demo"}            | terms.duration | 3600
        {"terms":{"duration":"PT1H","pes":"four"},"cluster":"demo"}     | terms.pes      | four
        {"terms":{"duration":"PT1H","pes":1.5},"cluster":"demo"}        | terms.pes      | 1.5
        {"terms":{"duration":"PT1H","pes":99999999999},"cluster":"demo"} | terms.pes     | 99999999999
        {"terms":{"duration":"PT1H","pes":true},"cluster":"demo"}       | terms.pes      | true
        {"terms":{"duration":"PT1H","pes":65},"cluster":"demo"}         | terms.pes      | 65
        {"terms":{"duration":"1h","pes":4},"cluster":"demo"}            | terms.duration | 1h
        {"terms":{"duration":"PT1H","pes":4},"cluster":"demo","hold":"PT0S"} | hold      | PT0S
        """)
    void theValueThatWasSentIsShown(String body, String field, String value) {
        var reply = admin.post("/api/v1/reservations", body);
        assertThat(reply.text("errors.0.field")).isEqualTo(field);
        assertThat(reply.text("errors.0.value")).isEqualTo(value);
    }

    @Test
    void wrongKeysMethodsAndTypesAreRefused() {
        var body = "{\"terms\":{%s},\"cluster\":\"demo\"}".formatted(FINE);
        assertProblem(admin.post("/api/v1/reservations", body, "Idempotency-Key", "x".repeat(256)), 400, "malformed");
        assertProblem(admin.post("/api/v1/reservations", body, "Idempotency-Key", "a b"), 400, "malformed");
        assertProblem(admin.send(admin.request("/api/v1/reservations").DELETE()), 405, "method-not-allowed");
        assertProblem(
                admin.send(admin.request("/api/v1/reservations")
                        .header("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString(body))),
                415,
                "unsupported-media-type");
        assertProblem(admin.post("/api/v1/reservations", ""), 400, "malformed");
    }

    @Test
    void aTooLargeBodyIsRejectedUnread() {
        var huge = "{\"terms\":{%s},\"name\":\"%s\"}".formatted(FINE, "x".repeat(10_000_000));
        assertProblem(admin.post("/api/v1/reservations", huge), 413, "too-large");
        var inPieces = BodyPublishers.fromPublisher(BodyPublishers.ofString(huge));
        assertProblem(
                admin.send(admin.request("/api/v1/reservations")
                        .header("Content-Type", "application/json")
                        .POST(inPieces)),
                413,
                "too-large");
        assertProblem(admin.post("/api/v1/probes", "[".repeat(60_000)), 400, "malformed");
        assertThat(admin.post("/api/v1/probes", "{\"terms\":" + "{\"a\":".repeat(10_000))
                        .text("detail"))
                .isNotEmpty();
    }

    @Test
    void charactersThatHaveNoPlaceInAHeaderAreRefused() {
        for (var header : new String[] {"If-Match", "Accept"}) {
            assertProblem(admin.getRaw("/api/v1/clusters", header + ": \u00c4\u0085"), 400, "malformed");
        }
    }

    @Test
    void headersThatACallDoesNotTakeAreRefused() {
        assertProblem(
                admin.post("/api/v1/accounts", "{\"name\":\"k\",\"role\":\"CLIENT\"}", "Idempotency-Key", "k"),
                400,
                "malformed");
        assertProblem(
                admin.post(
                        "/api/v1/reservations",
                        "{\"terms\":{%s},\"cluster\":\"demo\"}".formatted(FINE),
                        "If-Match",
                        "\"1\""),
                400,
                "malformed");
        assertProblem(
                admin.post("/api/v1/probes", "{\"terms\":{%s},\"clusters\":[null]}".formatted(FINE)),
                422,
                "invalid-terms");
    }

    @Test
    void healthIgnoresTokensAndQueryParameters() {
        var stale = new Api(port, Optional.of("berth_of_yesterday"));
        assertThat(stale.get("/actuator/health").status()).isEqualTo(200);
        var garbled = new Api(port, Optional.empty()).getRaw("/actuator/health?a=%zz");
        assertThat(garbled.status()).isIn(200, 400);
        assertProblem(new Api(port, Optional.empty()).getRaw("/actuator/health?%07=1"), 400, "malformed");
    }

    private static void assertProblem(Reply reply, int status, String code) {
        assertThat(reply.text("code")).as("%s", reply).isEqualTo(code);
        assertThat(reply.status())
                .isEqualTo(status)
                .isEqualTo(reply.body().get("status").asInt());
        assertThat(reply.contentType()).isEqualTo("application/problem+json");
        assertThat(reply.text("title")).isNotEmpty();
        assertThat(reply.text("detail")).isNotEmpty();
        assertThat(reply.body().toString()).doesNotContain("Exception", "berth.", "tools.jackson");
    }
}
