package berth.mail;

import static org.assertj.core.api.Assertions.assertThat;

import berth.mail.Post.Sent;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mail.javamail.JavaMailSenderImpl;

/** What the replies of a mail server mean. */
class PostTest {

    private static Post post(int port) {
        var sender = new JavaMailSenderImpl();
        sender.setHost("127.0.0.1");
        sender.setPort(port);
        sender.getJavaMailProperties()
                .putAll(Map.of("mail.smtp.connectiontimeout", "2000", "mail.smtp.timeout", "2000"));
        return new Post(sender, "berth@example.org", "berth.example.org", () -> Instant.parse("2027-01-30T09:30:00Z"));
    }

    private static Letter letter() {
        return new Letter(
                "evt_demo_17.ada",
                "ada@example.org",
                "Größe",
                "text",
                "<p>html</p>",
                Optional.empty(),
                Optional.of("https://berth.example.org/off"));
    }

    @Test
    void aLetterArrivesWithItsIdAndHeaders() throws Exception {
        var server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        server.start();
        try {
            assertThat(post(server.getSmtp().getPort()).send(letter())).isEqualTo(new Sent.Accepted());

            var message = server.getReceivedMessages()[0];
            assertThat(message.getSubject()).isEqualTo("Größe");
            assertThat(message.getMessageID()).isEqualTo("<evt_demo_17.ada@berth.example.org>");
            assertThat(message.getHeader("Auto-Submitted")).containsExactly("auto-generated");
            assertThat(message.getHeader("List-Unsubscribe")).containsExactly("<https://berth.example.org/off>");
        } finally {
            server.stop();
        }
    }

    /** A server that says one thing at one command, and otherwise what it should. */
    private static final class Surly implements AutoCloseable {
        private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());

        Surly(String at, String says) throws IOException {
            Thread.ofVirtual().start(() -> serve(at, says));
        }

        private void serve(String at, String says) {
            try (var connection = socket.accept();
                    var in = new BufferedReader(
                            new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII))) {
                var out = connection.getOutputStream();
                var reply = at.equals("GREETING") ? says : "220 ready";
                for (String line = ""; line != null; line = in.readLine()) {
                    if (line.startsWith(at)) {
                        reply = says;
                    } else if (line.startsWith("DATA")) {
                        reply = "354 go on";
                    } else if (!line.isEmpty()) {
                        reply = "250 fine";
                    }
                    if (reply.equals("nothing")) {
                        continue;
                    }
                    out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                }
            } catch (IOException e) {
                // the client has gone
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "RCPT, 550 5.1.1 no such user, Refused",
        "RCPT, 451 4.7.1 greylisted, PutOff",
        "RCPT, 452 4.2.2 mailbox full, PutOff",
        "MAIL, 553 5.1.8 no such sender, Refused",
        "MAIL, 530 5.7.0 sign in first, Away",
        "MAIL, 421 4.3.2 closing, Away",
        "DATA, 554 5.7.1 spam, Refused",
        "GREETING, 554 not here, Away",
        "GREETING, 421 too busy, Away",
        "EHLO, nothing, Away",
        "RCPT, nothing, Away",
    })
    void aReplyDecidesWhetherALetterIsSentAgain(String at, String says, String expected) throws Exception {
        try (var server = new Surly(at, says)) {
            assertThat(post(server.socket.getLocalPort())
                            .send(letter())
                            .getClass()
                            .getSimpleName())
                    .isEqualTo(expected);
        }
    }

    @Test
    void aServerThatCannotBeReachedIsAway() throws Exception {
        int port;
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        assertThat(post(port).send(letter())).isInstanceOf(Sent.Away.class);
    }
}
