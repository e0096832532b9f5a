package berth.webhooks.web;

import berth.engine.Records.RecordedEvent;
import berth.events.EventBody;
import berth.webhooks.Payloads;
import berth.webhooks.Webhook;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Makes the messages of webhooks, with events in the same form as the list of events. */
@Component
final class WebhookMessages implements Payloads {

    /** The size in bytes above which a message has only the place of its event, because receivers limit what they read. */
    private static final int MAX_BYTES = 256 * 1024;

    private static final String JSON = "application/json";

    private final JsonMapper mapper;

    WebhookMessages(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * A message in the form of Standard Webhooks.
     *
     * @param type the type of the event
     * @param timestamp when it happened
     * @param data the event, or its place
     */
    private record Message(String type, Instant timestamp, Object data) {}

    /** The place of an event, by which a receiver can read it. */
    private record EventPlace(
            String cluster, long sequence, @Nullable UUID reservation) {}

    /** A message in the form of CloudEvents 1.0. */
    private record CloudEvent(
            String specversion,
            String id,
            String source,
            String type,
            @Nullable UUID subject,
            Instant time,
            String datacontenttype,
            Object data) {}

    @Override
    public Payload of(String message, RecordedEvent event, Webhook.MessageFormat format) {
        var body = EventBody.of(event);
        var whole = write(message, body, body, format);
        return whole.body().length <= MAX_BYTES ? whole : write(message, body, place(body), format);
    }

    private static EventPlace place(EventBody event) {
        return new EventPlace(event.cluster(), event.sequence(), event.reservation());
    }

    private Payload write(String message, EventBody event, Object data, Webhook.MessageFormat format) {
        return switch (format) {
            case THIN -> json(new Message(event.type(), event.at(), place(event)));
            case FULL -> json(new Message(event.type(), event.at(), data));
            case CLOUDEVENTS ->
                new Payload(
                        "application/cloudevents+json",
                        mapper.writeValueAsBytes(new CloudEvent(
                                "1.0",
                                message,
                                "/api/v1/clusters/" + event.cluster(),
                                "berth." + event.type(),
                                event.reservation(),
                                event.at(),
                                JSON,
                                data)));
        };
    }

    @Override
    public Payload test(String message, Instant at) {
        return json(new Message("test", at, new Object[0]));
    }

    private Payload json(Object body) {
        return new Payload(JSON, mapper.writeValueAsBytes(body));
    }
}
