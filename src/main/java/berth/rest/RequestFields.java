package berth.rest;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The fields of a request as its client knows them, for the errors that name them. */
final class RequestFields {

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

    /** A call without a body. */
    static RequestFields nothing() {
        return new RequestFields(Optional.empty(), "", Set.of());
    }

    /** A body whose fields the core calls as the contract does. */
    static RequestFields fields(Object body) {
        return new RequestFields(Optional.of(body), "", Set.of());
    }

    /** A body that has what the core speaks of in its field {@code terms}, but for those named here. */
    static RequestFields terms(Object body, String... outside) {
        return new RequestFields(Optional.of(body), "terms.", Set.of(outside));
    }

    /** A body that has what the core speaks of in the terms of one of its parts. */
    static RequestFields part(Object body, int part) {
        return new RequestFields(Optional.of(body), "parts[%d].terms.".formatted(part), Set.of());
    }

    /** The contract's path of a field of the core. */
    String path(String field) {
        // what a body is filed under, it says at its top
        var path = outside.contains(field) || field.equals("project") ? field : prefix + field;
        return body.flatMap(sent -> instead(field).stream()
                        .filter(other -> value(sent, path) == null && value(sent, prefix + other) != null)
                        .findFirst())
                .map(other -> prefix + other)
                .orElse(path);
    }

    /** Where a run of several shapes says what a rigid one says in a field. */
    private static List<String> instead(String field) {
        return switch (field) {
            case "pes" -> List.of("minPes", "moldability.runtimes");
            case "duration" -> List.of("moldability.runtimes");
            default -> List.of();
        };
    }

    /** What was sent there, shortened; null if nothing was. */
    @Nullable
    Object value(String field) {
        return body.map(sent -> value(sent, path(field))).orElse(null);
    }

    /** A body as it was sent; nothing, if it is no JSON. */
    static JsonNode tree(byte[] body) {
        try {
            return mapper.readTree(body);
        } catch (JacksonException e) {
            return mapper.missingNode();
        }
    }

    /** What a body holds at a path such as {@code terms.budget.amount}, shortened; null if nothing. */
    static @Nullable Object value(Object body, String path) {
        JsonNode node = mapper.valueToTree(body);
        for (var name : path.split("[.\\[\\]]+")) {
            node = node.isArray() && INDEX.matcher(name).matches()
                    ? node.path(Integer.parseInt(name))
                    : node.path(name);
        }
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
