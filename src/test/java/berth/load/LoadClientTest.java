package berth.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the client against services that treat their connections in unusual ways. */
class LoadClientTest {
    private static final String FINE = "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\n{}";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ServerSocket service;
    private LoadClient client;

    @BeforeEach
    void listen() throws IOException {
        service = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        client = new LoadClient(
                "http://localhost:" + service.getLocalPort() + "/api/v1",
                "secret",
                List.of("load"),
                Duration.ofMinutes(2));
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        service.close();
        threads.close();
    }

    @Test
    void repeatsACallIfAnIdleConnectionWasClosed() {
        answerOnceOnEachConnection(FINE);

        assertThat(client.probe()).isEqualTo(new CallResult.Status(200));
        assertThat(client.probe()).isEqualTo(new CallResult.Status(200));
    }

    @Test
    void doesNotRepeatACallIfANewConnectionBreaks() {
        answerOnceOnEachConnection("HTTP/1.1 200 \r\nContent-Length: 200\r\n\r\n{}");

        assertThat(client.probe()).isEqualTo(new CallResult.None("connection broken"));
    }

    @Test
    void reportsAServerThatDoesNotSpeakHttp() {
        answerOnceOnEachConnection("SSH-2.0-OpenSSH\r\n");

        assertThat(client.probe()).isEqualTo(new CallResult.None("no HTTP/1.1"));
    }

    @Test
    void reportsThatNoServiceListens() throws IOException {
        service.close();

        assertThat(client.probe()).isEqualTo(new CallResult.None("no connection"));
    }

    /** Answers once on each connection, then closes it without announcing that. */
    private void answerOnceOnEachConnection(String answer) {
        threads.execute(() -> {
            while (!service.isClosed()) {
                try (Socket connection = service.accept()) {
                    readRequest(connection);
                    connection.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    // the test is over
                }
            }
        });
    }

    /** Reads a request, which is a single packet. */
    private static void readRequest(Socket connection) throws IOException {
        assertThat(connection.getInputStream().read(new byte[8192])).isPositive();
    }
}
