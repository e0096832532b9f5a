package berth.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {

    private final Addresses open = new Addresses(List.of());
    private final Addresses inside = new Addresses(List.of("10.1.0.0/16", "127.0.0.0/8", "fd00::/8"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "10.0.0.1",
                "100.64.0.1",
                "127.0.0.1",
                "127.1",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "192.0.0.8",
                "198.18.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "2130706433",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::ffff:a9fe:a9fe",
                "::127.0.0.1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "2001::1",
                "fc00::1",
                "fd12:3456::1",
                "fe80::1",
                "fec0::1",
                "ff02::1",
                "localhost"
            })
    void noPrivateAddressIsReached(String host) {
        assertThatThrownBy(() -> open.resolve(host, true)).isInstanceOf(UnknownHostException.class);
        assertThatThrownBy(() -> open.resolve(host, false)).isInstanceOf(UnknownHostException.class);
    }

    /** Otherwise a client could ask which names the site's own DNS has. */
    @Test
    void anInternalNameLooksLikeAnUnknownName() {
        var inside = reason("localhost");

        assertThat(reason("no-such-host.invalid")).isEqualTo(inside);
        assertThat(inside).contains("has no address, or one that is not public");
    }

    private String reason(String host) {
        return String.valueOf(catchThrowableOfType(UnknownHostException.class, () -> open.resolve(host, true))
                .getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"})
    void publicAddressesAreReachedOnlyOverHttps(String host) throws UnknownHostException {
        assertThat(open.resolve(host, true)).containsExactly(InetAddress.getByName(host));
        assertThatThrownBy(() -> open.resolve(host, false)).hasMessageContaining("https");
        assertThatThrownBy(() -> inside.resolve(host, false)).hasMessageContaining("https");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.3", "127.0.0.1", "fd00::1", "::ffff:10.1.2.3"})
    void allowedNetworksAreReachedWithAndWithoutHttps(String host) throws UnknownHostException {
        assertThat(inside.resolve(host, true)).hasSize(1);
        assertThat(inside.resolve(host, false)).hasSize(1);
        assertThatThrownBy(() -> inside.resolve("10.2.0.1", true)).isInstanceOf(UnknownHostException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ftp://example.org/",
                "file:///etc/passwd",
                "http://example.org/",
                "https:///path",
                "https://user@example.org/",
                "https://user:word@example.org/",
                "https://example.org/#part",
                "https://example.org:0/",
                "https://example.org:70000/",
                "https://10.0.0.1/",
                "https://[::1]/",
                "https://[::ffff:169.254.169.254]/latest",
                "https://127.1/",
                "mailto:someone@example.org"
            })
    void anImpossibleReceiverIsRejectedAtOnce(String url) {
        assertThat(open.objection(URI.create(url))).isPresent();
    }

    @Test
    void anInternationalNameIsShownAsItMustBeWritten() {
        assertThat(open.objection(URI.create("https://bücher.example:8443/hook")))
                .contains("must name its host in ASCII, such as xn--bcher-kva.example");
    }

    @Test
    void namesAreNotLookedUpBeforeTheyAreCalled() {
        assertThat(open.objection(URI.create("https://no-such-host.invalid/hook")))
                .isEmpty();
        assertThat(inside.objection(URI.create("http://no-such-host.invalid/hook")))
                .isEmpty();
    }

    /** Checks that the address is tested when the connection is made, whatever the result of an earlier test. */
    @Test
    void nothingIsSentToAnAddressThatIsNotAllowed() throws IOException {
        var calls = new AtomicInteger();
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            calls.incrementAndGet();
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/moved") ? 302 : 204, -1);
            exchange.close();
        });
        server.start();
        try (var closed = new Sender(new Addresses(List.of("10.0.0.0/8")), 4, InstantSource.system());
                var allowed = new Sender(new Addresses(List.of("127.0.0.0/8", "::1/128")), 4, InstantSource.system())) {
            var payload = new Payloads.Payload("application/json", "{}".getBytes());
            for (var host : List.of("127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]")) {
                for (var scheme : List.of("http", "https")) {
                    var url = URI.create("%s://%s:%d/"
                            .formatted(scheme, host, server.getAddress().getPort()));
                    assertThat(closed.send(url, Map.of(), payload))
                            .as("%s", url)
                            .isInstanceOf(Sender.Reply.Silent.class);
                }
            }
            assertThat(calls).hasValue(0);

            var url = "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
            assertThat(allowed.send(URI.create(url), Map.of(), payload))
                    .isInstanceOfSatisfying(
                            Sender.Reply.Answered.class,
                            answer -> assertThat(answer.status()).isEqualTo(204));
            assertThat(allowed.send(URI.create(url + "moved"), Map.of(), payload))
                    .isInstanceOfSatisfying(
                            Sender.Reply.Answered.class,
                            answer -> assertThat(answer.status()).isEqualTo(302));
            assertThat(calls).as("nobody is followed").hasValue(2);
        } finally {
            server.stop(0);
        }
    }
}
