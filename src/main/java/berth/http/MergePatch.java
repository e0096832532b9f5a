package berth.http;

import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes resources by JSON merge patches (RFC 7396): an absent field stays as it is, {@code null} removes a field, objects are merged,
 * and any other value replaces the old one.
 */
@Component
public class MergePatch {

    private final JsonMapper mapper;

    public MergePatch(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * Returns a resource after a patch. Fields that the patch removes are null.
     *
     * @param present the resource before the patch, as a client would write it
     * @param type the type to read the result as, as strictly as any request; its fields must accept null
     * @throws Problem naming the field of the patch that is unknown or has the wrong type
     */
    public <T> T apply(JsonNode patch, T present, Class<T> type) {
        if (!(patch instanceof ObjectNode changes)) {
            throw new Problem(ProblemCode.MALFORMED, "Send a JSON object in the body.");
        }
        try {
            // reads the patch by itself first: an unknown field that the patch removes would otherwise go unnoticed
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
