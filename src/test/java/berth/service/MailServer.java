package berth.service;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Stream;

/** A mail server, which keeps what it gets, and can be away. */
public final class MailServer {

    private static final String HOST = "127.0.0.1";

    private final int port = freePort();
    private GreenMail server = started();

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private GreenMail started() {
        var fresh = new GreenMail(new ServerSetup(port, HOST, ServerSetup.PROTOCOL_SMTP));
        fresh.start();
        return fresh;
    }

    String host() {
        return HOST;
    }

    int port() {
        return port;
    }

    /** Lets the server go away; what it has got is lost. */
    public synchronized void leave() {
        server.stop();
    }

    /** Lets the server come back. */
    public synchronized void come() {
        server = started();
    }

    /** Returns what has come for an address, in order. */
    public synchronized List<MimeMessage> of(String address) {
        return Stream.of(server.getReceivedMessages())
                .filter(message -> isFor(message, address))
                .toList();
    }

    private static boolean isFor(MimeMessage message, String address) {
        try {
            return Stream.of(message.getRecipients(Message.RecipientType.TO))
                    .anyMatch(to -> to.toString().equals(address));
        } catch (MessagingException e) {
            throw new IllegalStateException(e);
        }
    }
}
