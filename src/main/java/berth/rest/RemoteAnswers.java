package berth.rest;

import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads what another Berth told. It may say more than this one knows, or anything at all: a field that cannot be read is left
 * out, so that one answer that makes no sense does not spoil a list of others.
 */
final class RemoteAnswers {

    private static final JsonMapper LENIENT = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private RemoteAnswers() {}

    /** An object of records; what is left out is null, also where it must not be in answers of our own. */
    static <T> T read(JsonNode told, Class<T> type) {
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
        // one by one where it is not known which
        return field != null && told.has(field)
                ? field
                : told.propertyNames().iterator().next();
    }
}
