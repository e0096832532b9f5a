package berth.service;

import berth.service.Contract.Operation;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Values as a schema of the contract has them, mostly such as make sense together, and values that spoil a body. */
final class RandomValues {

    private static final JsonNodeFactory nodes = JsonNodeFactory.instance;
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    /** What tired people, broken programs and worse send in the place of a text. */
    private static final List<String> ODD = List.of(
            "",
            " ",
            "null",
            "-1",
            "0",
            "PT-5M",
            "P1Y",
            "P999999999D",
            "PT1H30M0.000000001S",
            "2027-02-30T00:00:00Z",
            "2027-01-31T14:00:00",
            "+999999999-12-31T23:59:59Z",
            "0000-01-01T00:00:00Z",
            "1e400",
            "99999999999999999999",
            "NaN",
            "../../etc/passwd",
            "' OR 1=1 --",
            "<script>",
            "\u0000",
            "\u0007\u001b",
            "\ud800",
            "\u202e\u00c4\u0416\u4e2d\ud83d\ude80",
            "x".repeat(5000));

    private final RandomGenerator random;
    private final Contract contract;
    private final InstantSource clock;
    private final Function<String, List<String>> known;

    /** @param known the ids that are known of what a field of that name speaks of */
    RandomValues(RandomGenerator random, Contract contract, InstantSource clock, Function<String, List<String>> known) {
        this.random = random;
        this.contract = contract;
        this.clock = clock;
        this.known = known;
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** A body that the document allows for a call. */
    Optional<JsonNode> body(Operation call) {
        return call.body().map(schema -> value("", schema));
    }

    /** A value that the document allows in a field of that name. */
    JsonNode value(String name, JsonNode given) {
        var schema = contract.resolved(given);
        for (var choice : List.of("anyOf", "oneOf")) {
            if (schema.has(choice)) {
                return value(name, any(schema.get(choice).valueStream().toList()));
            }
        }
        if (schema.has("enum")) {
            var words = schema.get("enum").valueStream().toList();
            return chance(0.6) ? words.getFirst() : any(words);
        }
        return switch (type(schema)) {
            case "null" -> nodes.nullNode();
            case "boolean" -> nodes.booleanNode(chance(0.3));
            case "integer" -> nodes.numberNode(whole(schema));
            case "number" -> nodes.numberNode(number(schema));
            case "array" -> array(name, schema);
            case "object" -> object(schema);
            default -> nodes.stringNode(text(name, schema));
        };
    }

    private String type(JsonNode schema) {
        var type = schema.path("type");
        if (!type.isArray()) {
            return type.asString("string");
        }
        return chance(0.05) ? "null" : type.get(0).asString();
    }

    private long whole(JsonNode schema) {
        long least = schema.path("minimum").asLong(0);
        long most = schema.path("maximum").asLong(Integer.MAX_VALUE);
        double kind = random.nextDouble();
        if (kind < 0.02) {
            return chance(0.5) ? least : most;
        }
        return Math.min(most, least + random.nextInt(kind < 0.8 ? 8 : 200));
    }

    private double number(JsonNode schema) {
        double least = schema.path("minimum").asDouble(0);
        double most = Math.min(schema.path("maximum").asDouble(10), 10);
        double value = Math.round((least + random.nextDouble() * (most - least)) * 100) / 100.0;
        return chance(0.4) ? 1 : Math.clamp(value, least, most);
    }

    private JsonNode array(String name, JsonNode schema) {
        var array = nodes.arrayNode();
        for (int i = random.nextInt(3); i >= 0; i--) {
            array.add(value(name, schema.get("items")));
        }
        return array;
    }

    private JsonNode object(JsonNode schema) {
        var object = nodes.objectNode();
        var required =
                schema.path("required").valueStream().map(JsonNode::asString).toList();
        var fields = schema.path("properties");
        // nobody fills in a quarter of a large form
        double share = Math.min(0.25, 3.0 / fields.size());
        fields.propertyStream().forEach(field -> {
            if (required.contains(field.getKey()) || chance(share)) {
                object.set(field.getKey(), value(field.getKey(), field.getValue()));
            }
        });
        if (schema.path("additionalProperties").isObject() && chance(0.2)) {
            object.set("gpu", value("", schema.get("additionalProperties")));
        }
        return together(fields, object);
    }

    /** Leaves out what the service refuses beside another field and adds what it asks for, most of the time. */
    private ObjectNode together(JsonNode fields, ObjectNode object) {
        if (chance(0.1)) {
            return object;
        }
        if (fields.has("peer") && fields.has("granule")) {
            // a cluster of this Berth, which has PEs, or of another, which knows how many it has
            if (object.has("peer")) {
                object.remove(List.of("pes", "granule"));
            } else {
                object.set("pes", nodes.numberNode(object.path("granule").asInt(1) * whole(fields.get("pes"))));
            }
        }
        if (object.has("deadline")) {
            object.remove("slack");
        }
        if (!object.has("deadline") && !object.has("slack")) {
            object.remove("mobility");
        }
        if (object.has("fixBefore") && object.path("mobility") instanceof ObjectNode mobility) {
            mobility.remove("notice");
        }
        if (object.has("steps")) {
            object.remove("step");
        }
        var terms = object.path("terms");
        if (terms.isObject() && !terms.has("deadline") && !terms.has("slack")) {
            object.remove("orderBy");
        }
        return object;
    }

    /** A text for a field or parameter of that name. */
    String text(String name, JsonNode schema) {
        var ids = known.apply(name);
        if (!ids.isEmpty() && chance(0.9)) {
            return recent(ids);
        }
        return switch (schema.path("format").asString("")) {
            case "date-time" -> instant();
            case "uuid" -> new UUID(random.nextLong(), random.nextLong()).toString();
            default -> patterned(schema);
        };
    }

    /** One of them, more likely a late one. */
    String recent(List<String> ids) {
        int back = (int) Math.min(ids.size() - 1.0, Math.abs(random.nextGaussian()) * 10);
        return ids.get(ids.size() - 1 - back);
    }

    private String instant() {
        long seconds = (long) (Math.exp(random.nextDouble() * 15) * (chance(0.05) ? -1 : 1));
        var instant = clock.instant().plusSeconds(seconds);
        return switch (random.nextInt(8)) {
            case 0 -> instant.atOffset(ZoneOffset.ofHours(2)).toString();
            case 1 -> instant.plusNanos(random.nextInt(1_000_000_000)).toString();
            default -> instant.toString();
        };
    }

    private String patterned(JsonNode schema) {
        var pattern = schema.path("pattern").asString("");
        if (pattern.startsWith("^P(")) {
            return duration();
        }
        if (pattern.startsWith("^[0-9]{1,8}(-")) {
            return peIds();
        }
        for (int i = 0; i < 5; i++) {
            var candidate = pattern.contains("0-9]{1,6}") ? amount() : name();
            if (!pattern.isEmpty() && candidate.matches(pattern)) {
                return candidate;
            }
        }
        return any(schema.get("examples").valueStream().toList()).asString();
    }

    private String peIds() {
        int first = random.nextInt(8);
        return switch (random.nextInt(4)) {
            case 0 -> Integer.toString(random.nextInt(100_000_000));
            case 1 -> "%d,%d".formatted(first, random.nextInt(16));
            default -> "%d-%d".formatted(first, first + random.nextInt(8));
        };
    }

    private String duration() {
        return switch (random.nextInt(20)) {
            case 0 -> "P%dD".formatted(1 + random.nextInt(20));
            case 1 -> "PT%d.5S".formatted(random.nextInt(100));
            default ->
                Duration.ofSeconds((long) Math.exp(3 + random.nextDouble() * 7)).toString();
        };
    }

    private String amount() {
        return "%d.%02d".formatted((long) Math.exp(random.nextDouble() * 12), random.nextInt(100));
    }

    /** A name that nobody has. */
    String name() {
        var name = new StringBuilder("fuzz-");
        for (int i = 0; i < 8; i++) {
            name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return name.toString();
    }

    String odd() {
        return any(ODD);
    }

    /** The body with one thing wrong in it, as text. */
    String spoilt(JsonNode body) {
        var text = body.toString();
        return switch (random.nextInt(12)) {
            case 0 -> text.substring(0, random.nextInt(text.length()));
            case 1 -> "";
            case 2 -> text + text;
            case 3 ->
                any(List.of(
                        "[]",
                        "null",
                        "3",
                        "\"terms\"",
                        "{}",
                        "[".repeat(3000),
                        "{\"a\":".repeat(2000),
                        "\ufeff" + text));
            case 4 -> text.replaceFirst("\\{", "{\"terms\":{},\"terms\":{},");
            case 5 -> text.replaceFirst("\\{", "{\"%s\":1,".formatted(name()));
            default -> {
                var copy = body.deepCopy();
                spoil(copy);
                yield copy.toString();
            }
        };
    }

    private void spoil(JsonNode body) {
        var objects = new ArrayList<ObjectNode>();
        collect(body, objects);
        objects.removeIf(ObjectNode::isEmpty);
        if (objects.isEmpty()) {
            return;
        }
        var object = any(objects);
        var field = any(List.copyOf(object.propertyNames()));
        switch (random.nextInt(8)) {
            case 0 -> object.remove(field);
            case 1 -> object.putNull(field);
            case 2 -> object.put(field, odd());
            case 3 -> object.put(field, any(List.of(-1L, 0L, Long.MAX_VALUE, Long.MIN_VALUE, 4_000_000_000L)));
            case 4 -> object.put(field, any(List.of(1.5, -0.0, 1e300, 1e-300, 0.1234567890123)));
            case 5 -> object.set(field, nodes.arrayNode().add(object.get(field)).addNull());
            case 6 -> object.set(field, nodes.objectNode().set(field, object.get(field)));
            default -> object.put(field, chance(0.5));
        }
    }

    private static void collect(JsonNode node, List<ObjectNode> objects) {
        switch (node) {
            case ObjectNode object -> {
                objects.add(object);
                object.values().forEach(value -> collect(value, objects));
            }
            case ArrayNode array -> array.values().forEach(value -> collect(value, objects));
            default -> {}
        }
    }
}
