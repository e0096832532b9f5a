package berth.webhooks;

import berth.engine.Records.RecordedEvent;
import java.time.Instant;

/** Writes messages in the form of the API. */
public interface Payloads {

    /**
     * A message about an event.
     *
     * @param contentType the media type
     */
    record Payload(String contentType, byte[] body) {}

    Payload of(String message, RecordedEvent event, Webhook.MessageFormat format);

    /** Returns a test message. */
    Payload test(String message, Instant at);
}
