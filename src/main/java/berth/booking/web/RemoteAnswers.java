package berth.booking.web;

import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads responses from other Berths. A response may have fields that this version does not know, or values that it cannot read. The reader
 * leaves out every field that it cannot read, so that one bad item does not make a whole list useless.
 */
public final class RemoteAnswers {

    private static final JsonMapper LENIENT = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private RemoteAnswers() {}

    /**
     * Reads an object into a record. Fields that are missing or unreadable are null, even if Berth's own responses never have null there.
     */
    public static <T> T read(JsonNode told, Class<T> type) {
        var rest = told instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        while (true) {
            try {
                return LENIENT.treeToValue(rest, type);
            } catch (JacksonException e) {
                rest.remove(culprit(rest, e));
            }
        }
    }

    private static String culprit(ObjectNode told, JacksonException e) {
        var path = e instanceof DatabindException unreadable
                ? unreadable.getPath()
                : List.<JacksonException.Reference>of();
        var field = path.isEmpty() ? null : path.getFirst().getPropertyName();
        // if the field is unknown, remove fields one by one
        return field != null && told.has(field)
                ? field
                : told.propertyNames().iterator().next();
    }
}
