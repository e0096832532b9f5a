package berth.webhook;

import berth.desk.Records.RecordedEvent;
import java.time.Instant;

/** Writes messages as the contract has them. */
public interface Payloads {

    /**
     * A message of an event.
     *
     * @param contentType its media type
     */
    record Payload(String contentType, byte[] body) {}

    Payload of(String message, RecordedEvent event, Webhook.MessageFormat format);

    /** One that tells nothing, to see whether it arrives. */
    Payload test(String message, Instant at);
}
