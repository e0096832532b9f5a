package berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.json.JsonMapper;

/** Checks that requests rejected by the web server itself also get a problem document. */
@ExtendWith(OutputCaptureExtension.class)
class GarbledRequestsIT extends ServiceSuite {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET /api/v1/clusters/a%2Fb HTTP/1.1\\nHost: x                       | 400
            GET /api/v1/clusters/a%5Cb HTTP/1.1\\nHost: x                       | 400
            GET /api/v1/clusters/%00 HTTP/1.1\\nHost: x                         | 400
            GET /api/v1/clusters/\u00e4 HTTP/1.1\\nHost: x                      | 400
            GET /api/v1/{clusters} HTTP/1.1\\nHost: x                           | 400
            GET /../../etc/passwd HTTP/1.1\\nHost: x                            | 400
            GET /api/v1/clusters HTTP/1.1                                       | 400
            GET /api/v1/clusters HTTP/1.1\\nHost: a b                           | 400
            GET /api/v1/clusters HTTP/1.1\\nHost: x\\nNo colon                  | 400
            GET /api/v1/clusters HTTP/1.1\\nHost: x\\nContent-Length: many      | 400
            POST /api/v1/probes HTTP/1.1\\nHost: x\\nContent-Length: 1\\nContent-Length: 2 | 400
            POST /api/v1/probes HTTP/1.1\\nHost: x\\nTransfer-Encoding: secret  | 501
            GET /api/v1/clusters HTTP/9.1\\nHost: x                             | 505
            \u0016\u0003\u0001\u0002                                            | 400
            """)
    void aGarbledRequestGetsAProblem(String request, int status, CapturedOutput output) throws IOException {
        var answer = send(request.replace("\\n", "\r\n") + "\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 %d ".formatted(status))
                .contains("Content-Type: application/problem+json")
                .contains("X-Request-Id: ");
        var problem = JsonMapper.shared().readTree(answer.substring(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
        assertThat(problem.get("status").asInt()).isEqualTo(status);
        assertThat(problem.get("code").asString()).isEqualTo("malformed");
        assertThat(problem.get("detail").asString()).isNotEmpty();
        // no client can fill the log
        assertThat(output.getOut()).doesNotContain("SlowClients.java");
    }

    private String send(String request) throws IOException {
        try (var socket = new Socket("localhost", port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
