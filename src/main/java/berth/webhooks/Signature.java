package berth.webhooks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs messages by version {@code v1} of the Standard Webhooks specification: HMAC-SHA256 with a shared secret. */
public final class Signature {

    private static final String PREFIX = "whsec_";
    private static final int SECRET_BYTES = 32;
    private static final SecureRandom random = new SecureRandom();

    private Signature() {}

    /** Returns a new secret of 256 random bits. */
    static String newSecret() {
        var bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * Returns the value of the header {@code webhook-signature}, with a signature for each secret.
     *
     * @param id the id of the message
     * @param timestamp the time of the attempt, in seconds since the epoch
     */
    static String of(List<String> secrets, String id, long timestamp, byte[] body) {
        return secrets.stream()
                .map(secret -> "v1," + sign(secret, id, timestamp, body))
                .collect(Collectors.joining(" "));
    }

    private static String sign(String secret, String id, long timestamp, byte[] body) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(PREFIX.length())), "HmacSHA256"));
            mac.update("%s.%d.".formatted(id, timestamp).getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256.", e);
        }
    }
}
