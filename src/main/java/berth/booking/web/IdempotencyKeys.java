package berth.booking.web;

import berth.accounts.Account;
import berth.engine.KeyUse;
import berth.http.Problem;
import berth.http.Problem.FieldError;
import berth.http.ProblemCode;
import berth.http.Texts;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads the header {@code Idempotency-Key}. */
@Component
public class IdempotencyKeys {

    public static final String HEADER = "Idempotency-Key";

    private static final Pattern KEY = Pattern.compile("[!-~]{1,255}");

    private final ObjectWriter writer;

    IdempotencyKeys(JsonMapper mapper) {
        this.writer = mapper.writer(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .with(JsonNodeFeature.WRITE_PROPERTIES_SORTED);
    }

    /**
     * Returns the use of an idempotency key in a request; empty if the request has none.
     *
     * @param call identifies the call: the same body sent to another call is a different request
     * @param body the request as read; its whitespace and the order of its fields make no difference
     */
    public Optional<KeyUse> use(@Nullable String header, Account account, String call, Object body) {
        if (header == null) {
            return Optional.empty();
        }
        if (!KEY.matcher(header).matches()) {
            throw new Problem(
                    ProblemCode.MALFORMED,
                    "Send a key of 1 to 255 visible ASCII characters, such as a UUID.",
                    List.of(new FieldError(HEADER, Texts.shown(header), "is not a valid key")));
        }
        return Optional.of(new KeyUse(account.name(), header, fingerprint(call, writer.writeValueAsBytes(body))));
    }

    private static String fingerprint(String call, byte[] body) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(call.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
