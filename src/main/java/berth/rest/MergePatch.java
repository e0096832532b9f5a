package berth.rest;

import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes resources by JSON merge patches (RFC 7396): a field that is absent stays as it is, {@code null} takes it away,
 * objects are merged and everything else is replaced.
 */
@Component
class MergePatch {

    private final JsonMapper mapper;

    MergePatch(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * A resource as it is after a patch. What the patch takes away is null.
     *
     * @param present the resource as it is, written as a client would write it
     * @param type what it is read as, as strictly as any request: its fields may all be null
     * @throws Problem naming the field of the patch that is unknown or has the wrong type
     */
    <T> T apply(JsonNode patch, T present, Class<T> type) {
        if (!(patch instanceof ObjectNode changes)) {
            throw new Problem(ProblemCode.MALFORMED, "Send a JSON object in the body.");
        }
        try {
            // the patch by itself first: a field that is not known would not be seen once it is taken away
            mapper.treeToValue(changes, type);
            return mapper.treeToValue(merge(mapper.valueToTree(present), changes), type);
        } catch (JacksonException e) {
            throw ProblemHandler.unreadable(e).showing(changes);
        }
    }

    private static JsonNode merge(JsonNode target, ObjectNode changes) {
        var merged = target instanceof ObjectNode object ? object : changes.objectNode();
        for (var change : changes.properties()) {
            switch (change.getValue()) {
                case ObjectNode inner -> merged.set(change.getKey(), merge(merged.path(change.getKey()), inner));
                case JsonNode value when value.isNull() -> merged.remove(change.getKey());
                case JsonNode value -> merged.set(change.getKey(), value);
            }
        }
        return merged;
    }
}
