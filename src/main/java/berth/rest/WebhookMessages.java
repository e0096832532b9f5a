package berth.rest;

import berth.desk.Records.RecordedEvent;
import berth.webhook.Payloads;
import berth.webhook.Webhook;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Messages of webhooks, with the events as the feed has them. */
@Component
final class WebhookMessages implements Payloads {

    /** What is longer is told as thinly as can be: receivers bound what they read. */
    private static final int MAX_BYTES = 256 * 1024;

    private static final String JSON = "application/json";

    private final JsonMapper mapper;

    WebhookMessages(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * A message, as Standard Webhooks has them.
     *
     * @param type what happened
     * @param timestamp when
     * @param data the event, or where to find it
     */
    private record Message(String type, Instant timestamp, Object data) {}

    /** Where an event can be found. */
    private record EventPlace(
            String cluster, long sequence, @Nullable UUID reservation) {}

    /** A message as CloudEvents 1.0 has them. */
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
