package berth.service;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The service's OpenAPI document. It lists the calls, and checks whether a response conforms to the document. */
public final class Contract {

    static final String JSON = "application/json";
    public static final String PROBLEM = "application/problem+json";

    private static final JsonMapper mapper = JsonMapper.shared();

    private final JsonNode document;
    private final JsonNode strict;
    private final SchemaRegistry schemas;
    private final Map<JsonNode, Schema> compiled = new HashMap<>();

    public Contract(String json) {
        document = mapper.readTree(json);
        strict = mapper.readTree(local(json)).at("/components/schemas");
        strict.forEach(Contract::close);
        var config =
                SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build();
        schemas = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12, builder -> builder.schemaRegistryConfig(config));
    }

    /** Forbids properties that are not in the document. Clients should be lenient; this test is not. */
    private static void close(JsonNode schema) {
        if (schema.has("properties") && !schema.has("additionalProperties")) {
            ((ObjectNode) schema).put("additionalProperties", false);
        }
    }

    /** A parameter of a call; {@code in} is path, query or header. */
    record Parameter(String name, String in, boolean isRequired, JsonNode schema) {}

    /** A call. */
    public record Operation(String id, String method, String path, List<Parameter> parameters, JsonNode node) {

        /** Returns the schema of the request body. */
        Optional<JsonNode> body() {
            return node.at("/requestBody/content/application~1json").optional("schema");
        }
    }

    public List<Operation> operations() {
        return document.get("paths")
                .propertyStream()
                .flatMap(path -> path.getValue().propertyStream().map(call -> operation(path.getKey(), call)))
                .toList();
    }

    private static Operation operation(String path, Map.Entry<String, JsonNode> call) {
        var node = call.getValue();
        var parameters = node.path("parameters")
                .valueStream()
                .map(parameter -> new Parameter(
                        parameter.get("name").asString(),
                        parameter.get("in").asString(),
                        parameter.path("required").asBoolean(),
                        parameter.get("schema")))
                .toList();
        return new Operation(
                node.get("operationId").asString(),
                call.getKey().toUpperCase(java.util.Locale.ROOT),
                path,
                parameters,
                node);
    }

    /** Returns every schema with its name. */
    public Stream<Map.Entry<String, JsonNode>> namedSchemas() {
        return document.at("/components/schemas").propertyStream();
    }

    public JsonNode document() {
        return document;
    }

    /** Returns the target of a reference, or the node itself if it is none. */
    JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").asString().substring(1)) : node;
    }

    /** Returns the errors of a response; empty if it conforms to the document. */
    public List<String> violations(Operation operation, int status, String contentType, String body) {
        var responses = operation.node().get("responses");
        var response = Stream.of(Integer.toString(status), status / 100 + "XX")
                .filter(responses::has)
                .findFirst();
        if (response.isEmpty()) {
            return List.of("The status %d is not in the document.".formatted(status));
        }
        var content = resolved(responses.get(response.get())).path("content");
        if (content.isEmpty()) {
            return body.isEmpty() ? List.of() : List.of("The document has no body for %d.".formatted(status));
        }
        var type = contentType.startsWith("text/") ? contentType.replaceFirst(";.*", "") : contentType;
        if (!content.has(type)) {
            return List.of("The content type '%s' is not in the document for %d.".formatted(contentType, status));
        }
        try {
            var media = content.get(type);
            var value = type.startsWith("text/") ? mapper.getNodeFactory().stringNode(body) : mapper.readTree(body);
            var code = value.path("code").asString("");
            return type.equals(PROBLEM) && !media.path("examples").has(code)
                    ? List.of("The document has no code %s for %d.".formatted(code, status))
                    : violations(media.get("schema"), value);
        } catch (JacksonException e) {
            return List.of("The body is no JSON.");
        }
    }

    /** Returns the errors of a value; empty if it conforms to the schema. */
    public List<String> violations(JsonNode schema, JsonNode value) {
        return new ArrayList<>(compiled.computeIfAbsent(schema, this::compile).validate(value))
                .stream().map(Error::toString).toList();
    }

    private Schema compile(JsonNode schema) {
        var root = (ObjectNode) mapper.readTree(local(schema.toString()));
        return schemas.getSchema(root.set("$defs", strict));
    }

    /** Rewrites references from OpenAPI to JSON Schema. */
    private static String local(String json) {
        return json.replace("#/components/schemas/", "#/$defs/");
    }
}
