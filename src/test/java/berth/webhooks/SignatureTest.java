package berth.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares signatures with the library of the authors of the specification. */
class SignatureTest {

    private static final String ID = "evt_demo_17";
    private static final String BODY = "{\"type\":\"confirmed\",\"name\":\"prüfen\"}";

    private final long now = Instant.now().getEpochSecond();

    private static HttpHeaders headers(String id, long timestamp, String signature) {
        return HttpHeaders.of(
                Map.of(
                        "webhook-id", List.of(id),
                        "webhook-timestamp", List.of(Long.toString(timestamp)),
                        "webhook-signature", List.of(signature)),
                (_, _) -> true);
    }

    private String sign(String... secrets) {
        return Signature.of(List.of(secrets), ID, now, BODY.getBytes(StandardCharsets.UTF_8));
    }

    private static com.standardwebhooks.Webhook receiver(String secret) {
        return new com.standardwebhooks.Webhook(secret);
    }

    @Test
    void aReceiverAcceptsTheSignature() {
        var secret = Signature.newSecret();

        assertThat(secret).startsWith("whsec_").isNotEqualTo(Signature.newSecret());
        assertThatCode(() -> receiver(secret).verify(BODY, headers(ID, now, sign(secret))))
                .doesNotThrowAnyException();
    }

    @Test
    void receiversAcceptTheSignatureWithEitherSecretDuringAReplacement() {
        var fresh = Signature.newSecret();
        var former = Signature.newSecret();
        var headers = headers(ID, now, sign(fresh, former));

        assertThatCode(() -> receiver(fresh).verify(BODY, headers)).doesNotThrowAnyException();
        assertThatCode(() -> receiver(former).verify(BODY, headers)).doesNotThrowAnyException();
    }

    @Test
    void aReceiverRejectsForgedAndChangedMessages() {
        var secret = Signature.newSecret();
        var signature = sign(secret);

        assertThatThrownBy(() -> receiver(Signature.newSecret()).verify(BODY, headers(ID, now, signature)))
                .isInstanceOf(WebhookVerificationException.class);
        assertThatThrownBy(() -> receiver(secret).verify(BODY + " ", headers(ID, now, signature)))
                .isInstanceOf(WebhookVerificationException.class);
        assertThatThrownBy(() -> receiver(secret).verify(BODY, headers("evt_demo_18", now, signature)))
                .isInstanceOf(WebhookVerificationException.class);
        assertThatThrownBy(() -> receiver(secret).verify(BODY, headers(ID, now - 1, signature)))
                .isInstanceOf(WebhookVerificationException.class);
    }
}
