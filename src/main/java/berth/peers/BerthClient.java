package berth.peers;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/**
 * Calls other Berths by the same API that this one offers. A call waits only briefly for a complete answer and never throws because of the
 * network or the other Berth. Thread-safe.
 */
public interface BerthClient {

    /** The timeout for a complete answer. */
    Duration PATIENCE = Duration.ofSeconds(3);

    Reply get(URI berth, String token, String path);

    /** Makes a call without a token, for Berths that are not known yet. */
    Reply getOpenly(URI berth);

    /**
     * Posts an optional body with an optional idempotency key.
     *
     * @param version the required version of the resource; empty for any
     */
    Reply post(
            URI berth, String token, String path, Optional<JsonNode> body, OptionalInt version, Optional<String> key);
}
