package berth.webhooks;

import berth.runtime.OnFirstUse;
import berth.sla.Excerpt;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Sends a message once. It connects only to addresses that {@link Addresses} allows at that moment, follows no redirects, and waits ten
 * seconds in total. Thread-safe.
 */
final class Sender implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String RETRY_AFTER = "Retry-After";

    private final Addresses addresses;
    private final InstantSource clock;
    private final OnFirstUse<CloseableHttpClient> encrypted;
    private final OnFirstUse<CloseableHttpClient> plain;
    private final ScheduledExecutorService deadlines = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("webhook-deadlines").factory());

    /**
     * Creates a sender.
     *
     * @param most the most concurrent messages
     */
    Sender(Addresses addresses, int most, InstantSource clock) {
        this.addresses = addresses;
        this.clock = clock;
        this.encrypted = new OnFirstUse<>(() -> client(addresses, true, most));
        this.plain = new OnFirstUse<>(() -> client(addresses, false, most));
    }

    /** The result of sending. */
    sealed interface Reply {

        /**
         * The receiver answered.
         *
         * @param retryAfter how long the receiver asked to wait
         */
        record Answered(int status, Optional<Duration> retryAfter) implements Reply {}

        /** The receiver did not answer or could not be reached. */
        record Silent(String why) implements Reply {}
    }

    private static CloseableHttpClient client(Addresses addresses, boolean isTls, int most) {
        var connection = ConnectionConfig.custom()
                .setConnectTimeout(Timeout.of(PATIENCE.dividedBy(2)))
                .setSocketTimeout(Timeout.of(PATIENCE))
                .setTimeToLive(TimeValue.ofMinutes(1))
                .setValidateAfterInactivity(TimeValue.ofMilliseconds(100))
                .build();
        var bounds = Http1Config.custom()
                .setMaxHeaderCount(100)
                .setMaxLineLength(16_384)
                .build();
        var connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(new Checked(addresses, isTls))
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .http1Config(bounds)
                        .build())
                .setDefaultConnectionConfig(connection)
                .setMaxConnTotal(most)
                .setMaxConnPerRoute(most)
                .build();
        return HttpClients.custom()
                .setConnectionManager(connections)
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setResponseTimeout(Timeout.of(PATIENCE))
                        .setConnectionRequestTimeout(Timeout.of(PATIENCE))
                        .setRedirectsEnabled(false)
                        .setProtocolUpgradeEnabled(false)
                        .build())
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .setUserAgent("Berth")
                .evictExpiredConnections()
                .evictIdleConnections(TimeValue.ofSeconds(20))
                .build();
    }

    /** Returns why a URL is forbidden, see {@link Addresses#objection}; empty if it is allowed. */
    Optional<String> objection(URI url) {
        return addresses.objection(url);
    }

    /** Ensures that the connection goes to the addresses that were checked. */
    private record Checked(Addresses addresses, boolean isTls) implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            return addresses.resolve(host, isTls);
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }

    Reply send(URI url, Map<String, String> headers, Payloads.Payload payload) {
        var request = new HttpPost(url);
        headers.forEach(request::setHeader);
        request.setEntity(new ByteArrayEntity(payload.body(), ContentType.parse(payload.contentType())));
        var client = "https".equalsIgnoreCase(url.getScheme()) ? encrypted : plain;
        var deadline = deadlines.schedule(request::cancel, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return client.get().execute(request, this::read);
        } catch (IOException | RuntimeException e) {
            var why = deadline.isDone() ? "did not answer within ten seconds" : String.valueOf(e.getMessage());
            return new Reply.Silent(Excerpt.of(why, 200));
        } finally {
            deadline.cancel(false);
        }
    }

    /** Reads the status and the pause; the rest of the answer does not matter. */
    private Reply read(ClassicHttpResponse response) throws IOException {
        var asked = Optional.ofNullable(response.getFirstHeader(RETRY_AFTER))
                .map(Header::getValue)
                .flatMap(value -> Retries.asked(value, clock.instant()));
        var entity = response.getEntity();
        if (entity != null && (entity.getContentLength() < 0 || entity.getContentLength() > MAX_READ)) {
            // the body may be endless, so the connection is closed instead of being read to its end
            response.close();
        }
        return new Reply.Answered(response.getCode(), asked);
    }

    private static final int MAX_READ = 16_384;

    @Override
    public void close() throws IOException {
        deadlines.shutdownNow();
        // a deadline that is being kept only cancels a request
        deadlines.close();
        for (var client : List.of(encrypted, plain)) {
            if (client.made().isPresent()) {
                client.made().get().close();
            }
        }
    }
}
