package berth.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import berth.service.Api;
import berth.service.ServiceSuite;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class RequestIdsIT extends ServiceSuite {

    private static final HttpClient http = HttpClient.newHttpClient();

    @ParameterizedTest
    @ValueSource(strings = {"a", "run-17_step.3", "01234567-89ab-7cde-8f01-23456789abcd"})
    void theResponseHasTheGivenId(String id) throws Exception {
        assertThat(ids(get(admin, "/api/v1/clusters", id))).containsExactly(id);
    }

    @Test
    void theLongestAllowedIdIsKeptAndALongerOneIsReplaced() throws Exception {
        assertThat(ids(get(admin, "/api/v1/clusters", "x".repeat(128)))).containsExactly("x".repeat(128));
        assertNew(get(admin, "/api/v1/clusters", "x".repeat(129)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "<script>", "a%0ab", "{}", "a;b"})
    void aMalformedIdIsReplaced(String id) throws Exception {
        assertNew(get(admin, "/api/v1/clusters", id));
    }

    @Test
    void aRequestWithoutAnIdGetsOne() throws Exception {
        var first = http.send(admin.request("/api/v1/clusters").GET().build(), BodyHandlers.ofString());
        var second = http.send(admin.request("/api/v1/clusters").GET().build(), BodyHandlers.ofString());

        assertNew(first);
        assertNew(second);
        assertThat(ids(first)).isNotEqualTo(ids(second));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET   | /api/v1/clusters/nowhere         | 404
            GET   | /nothing                         | 404
            GET   | /error                           | 404
            GET   | /api/v1//clusters                | 400
            GET   | /api/v1/reservations?%07=1       | 400
            GET   | /actuator/health?%07=1           | 400
            PATCH | /api/v1/clusters                 | 405
            ODD   | /api/v1/clusters                 | 400
            TRACE | /api/v1/clusters                 | 405
            """)
    void problemsCarryTheId(String method, String path, int status) throws Exception {
        var request = admin.request(path).header(RequestIds.HEADER, "mine").method(method, BodyPublishers.noBody());
        var response = http.send(request.build(), BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(ids(response)).containsExactly("mine");
    }

    @Test
    void rejectionsBeforeTheCallCarryTheIdToo() throws Exception {
        var nobody = new Api(port, Optional.empty());
        assertThat(get(nobody, "/api/v1/clusters", "mine"))
                .satisfies(response -> assertThat(response.statusCode()).isEqualTo(401))
                .satisfies(response -> assertThat(ids(response)).containsExactly("mine"));
        assertThat(get(client(), "/api/v1/accounts", "mine"))
                .satisfies(response -> assertThat(response.statusCode()).isEqualTo(403))
                .satisfies(response -> assertThat(ids(response)).containsExactly("mine"));
        var huge = admin.request("/api/v1/probes")
                .header(RequestIds.HEADER, "mine")
                .POST(BodyPublishers.ofString("x".repeat(BodyLimit.MAX + 1)));
        assertThat(http.send(huge.build(), BodyHandlers.ofString()))
                .satisfies(response -> assertThat(response.statusCode()).isEqualTo(413))
                .satisfies(response -> assertThat(ids(response)).containsExactly("mine"));
    }

    @Test
    void onlyLogLinesOfARequestCarryItsId(CapturedOutput output) throws Exception {
        var logger = (Logger) LoggerFactory.getLogger(RequestIds.class);
        logger.setLevel(Level.DEBUG);
        try {
            get(admin, "/api/v1/clusters/nowhere", "told-in-the-log");
            await().untilAsserted(
                            () -> assertThat(output.getOut())
                                    .containsPattern(
                                            "Z DEBUG \\[told-in-the-log] GET /api/v1/clusters/nowhere returned status 404 after \\d+ µs\\.\n"));
        } finally {
            logger.setLevel(null);
        }
        LoggerFactory.getLogger(RequestIdsIT.class).error("A line of nobody's.");
        assertThat(output.getOut()).contains("Z ERROR A line of nobody's.\n");
    }

    private static HttpResponse<String> get(Api api, String path, String id) throws IOException, InterruptedException {
        return http.send(api.request(path).header(RequestIds.HEADER, id).GET().build(), BodyHandlers.ofString());
    }

    private static List<String> ids(HttpResponse<String> response) {
        return response.headers().allValues(RequestIds.HEADER);
    }

    private static void assertNew(HttpResponse<String> response) {
        assertThat(ids(response))
                .singleElement()
                .satisfies(id -> assertThat(UUID.fromString(id)).hasToString(id));
    }
}
