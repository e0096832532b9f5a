package berth;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealthCommandTest {

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final StringWriter errors = new StringWriter();
    private HttpServer service;
    private volatile int status;

    @BeforeEach
    void startService() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            try (exchange) {
                asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
                exchange.sendResponseHeaders(status, -1);
            }
        });
        service.start();
    }

    @AfterEach
    void stopService() {
        service.stop(0);
    }

    @Test
    void succeedsIfTheServiceIsUp() {
        status = 200;

        assertThat(health(url())).isZero();

        assertThat(asked).containsExactly("GET /actuator/health");
        assertThat(errors).hasToString("");
    }

    @Test
    void asksBelowThePathOfTheAddress() {
        status = 200;

        assertThat(health(url() + "/berth/")).isZero();

        assertThat(asked).containsExactly("GET /berth/actuator/health");
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 404, 500, 503})
    void reportsAnUnhealthyService(int answer) {
        status = answer;

        assertThat(health(url())).isEqualTo(HealthCommand.UNWELL);

        assertThat(errors.toString()).contains(url()).contains("it answers " + answer);
    }

    @Test
    void reportsAMissingService() {
        var url = url();
        service.stop(0);

        assertThat(health(url)).isEqualTo(HealthCommand.UNWELL);

        assertThat(errors.toString()).contains(url).contains("does not answer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:8080", "file:///etc/hosts", "/health", "http://localhost?a=b"})
    void rejectsAUrlThatIsNotTheAddressOfAService(String url) {
        assertThat(health(url)).isEqualTo(2);

        assertThat(errors.toString()).contains("--url is " + url).contains("http://localhost:8080");
    }

    private String url() {
        return "http://localhost:" + service.getAddress().getPort();
    }

    private int health(String url) {
        return Berth.commands().setErr(new PrintWriter(errors)).execute("health", "--url", url);
    }
}
