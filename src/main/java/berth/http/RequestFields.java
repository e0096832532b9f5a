package berth.http;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Maps fields of the core to the fields of the request body, so that errors name fields as the client sent them. */
public final class RequestFields {

    private static final JsonMapper mapper = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    private static final Pattern INDEX = Pattern.compile("\\d{1,6}");

    private final Optional<Object> body;
    private final String prefix;
    private final Set<String> outside;

    private RequestFields(Optional<Object> body, String prefix, Set<String> outside) {
        this.body = body;
        this.prefix = prefix;
        this.outside = outside;
    }

    /** Returns the fields of a call without a body. */
    public static RequestFields nothing() {
        return new RequestFields(Optional.empty(), "", Set.of());
    }

    /** Returns the fields of a body that uses the core's field names at its top level. */
    public static RequestFields fields(Object body) {
        return new RequestFields(Optional.of(body), "", Set.of());
    }

    /**
     * Returns the fields of a body that has the core's fields in {@code terms}, except those in {@code outside}, which are at its top
     * level.
     */
    public static RequestFields terms(Object body, String... outside) {
        return new RequestFields(Optional.of(body), "terms.", Set.of(outside));
    }

    /** Returns the fields of a body that has the core's fields in the terms of one of its parts. */
    public static RequestFields part(Object body, int part) {
        return new RequestFields(Optional.of(body), "parts[%d].terms.".formatted(part), Set.of());
    }

    /** Returns the path of a core field in the request body. */
    public String path(String field) {
        // every body has the project at its top level
        var path = outside.contains(field) || field.equals("project") ? field : prefix + field;
        return body.flatMap(sent -> moldableFields(field).stream()
                        .filter(other -> value(sent, path) == null && value(sent, prefix + other) != null)
                        .findFirst())
                .map(other -> prefix + other)
                .orElse(path);
    }

    /** Returns the fields in which a moldable run states what a rigid run states in the given field. */
    private static List<String> moldableFields(String field) {
        return switch (field) {
            case "pes" -> List.of("minPes", "moldability.runtimes");
            case "duration" -> List.of("moldability.runtimes");
            default -> List.of();
        };
    }

    /** Returns the value that was sent in a field, shortened; null if there was none. */
    @Nullable
    public Object value(String field) {
        return body.map(sent -> value(sent, path(field))).orElse(null);
    }

    /** Parses a body; returns a missing node if it is not JSON. */
    static JsonNode tree(byte[] body) {
        try {
            return mapper.readTree(body);
        } catch (JacksonException e) {
            return mapper.missingNode();
        }
    }

    /** Returns the value at a path of a body such as {@code terms.budget.amount}, shortened; null if there is none. */
    public static @Nullable Object value(Object body, String path) {
        JsonNode node = mapper.valueToTree(body);
        for (var name : path.split("[.\\[\\]]+")) {
            node = node.isArray() && INDEX.matcher(name).matches()
                    ? node.path(Integer.parseInt(name))
                    : node.path(name);
        }
        return shown(node);
    }

    /** Returns a value, shortened; null if there is none. */
    static @Nullable Object shown(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return null;
        }
        if (node.isString()) {
            return Texts.shown(node.asString());
        }
        var text = node.toString();
        var shown = Texts.shown(text);
        return shown.equals(text) ? node : shown;
    }
}
