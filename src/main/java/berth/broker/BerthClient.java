package berth.broker;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/**
 * How other Berths are spoken with, by the contract that this one offers. Waits for a whole answer for a short time only, and never
 * throws for what the network or the other one does. Safe to use from any thread.
 */
interface BerthClient {

    /** How long a whole answer may take. */
    Duration PATIENCE = Duration.ofSeconds(3);

    Reply get(URI berth, String token, String path);

    /** A call that needs no token: whoever is not known yet is sent none. */
    Reply getOpenly(URI berth);

    /**
     * Posts a body, or none, under a key, or none.
     *
     * @param version that what is named must be in; empty: any
     */
    Reply post(
            URI berth, String token, String path, Optional<JsonNode> body, OptionalInt version, Optional<String> key);
}
