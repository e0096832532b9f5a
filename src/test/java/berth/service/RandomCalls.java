package berth.service;

import berth.service.Contract.Operation;
import berth.service.Contract.Parameter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls made up from the contract. It remembers what was answered, and asks for that more often than for anything else. */
public final class RandomCalls {

    private static final JsonMapper mapper = JsonMapper.shared();
    private static final Pattern VARIABLE = Pattern.compile("\\{([^}]+)}");
    private static final String AUTHORIZATION = "Authorization";
    private static final int TOO_LARGE = 1 << 20;

    /** A request. */
    public record Call(Operation operation, String uri, Map<String, String> headers, Optional<String> body) {

        public String path() {
            return uri.replaceFirst("\\?.*", "");
        }

        public String asCurl(String base) {
            var curl = new StringBuilder("curl -i -X ").append(operation.method());
            headers.forEach((name, value) -> curl.append(" -H ").append(quoted(name + ": " + value)));
            body.ifPresent(text -> curl.append(" --data-binary ").append(quoted(text)));
            return curl.append(' ').append(quoted(base + uri)).toString();
        }

        private static String quoted(String text) {
            return "'" + text.replace("'", "'\\''") + "'";
        }
    }

    private final List<Operation> operations;
    private final List<Operation> creations;
    private final RandomValues values;
    private final List<String> tokens;

    /** The ids in each collection, by its path. */
    private final Map<String, List<String>> ids = new HashMap<>();

    /** The entity tag of what is at a path. */
    private final Map<String, String> tags = new HashMap<>();

    /** Who made what is at a path, by the header that they sent. */
    private final Map<String, String> owners = new HashMap<>();

    /** Where the list at a path goes on. */
    private final Map<String, String> cursors = new HashMap<>();

    private final List<String> keys = new ArrayList<>();

    /** @param tokens the first is used the most */
    public RandomCalls(RandomGenerator random, Contract contract, InstantSource clock, List<String> tokens) {
        // a stream does not end
        this.operations = contract.operations().stream()
                .filter(operation -> !operation.path().endsWith("/stream"))
                .toList();
        this.creations = operations.stream()
                .filter(call -> call.method().equals("POST") && !call.path().contains("{"))
                .toList();
        this.tokens = tokens;
        this.values = new RandomValues(random, contract, clock, this::known);
    }

    /** A field {@code cluster} or {@code clusters} speaks of what is in the collection {@code clusters}. */
    private List<String> known(String field) {
        return known("/api/v1/", field.endsWith("s") ? field : field + "s");
    }

    private List<String> known(String parent, String collection) {
        return ids.getOrDefault(parent + collection, List.of());
    }

    public Call next() {
        // more of what can be read and changed afterwards
        var operation = values.any(values.chance(0.3) ? creations : operations);
        while (isEnough(operation) && values.chance(0.97)) {
            operation = values.any(creations);
        }
        var path = path(operation);
        return new Call(operation, path + query(operation, path), headers(operation, path), body(operation));
    }

    /** A few clusters and accounts are enough for many reservations. */
    private boolean isEnough(Operation operation) {
        int made = known("", operation.path()).size();
        return operation.method().equals("POST")
                && switch (operation.path()) {
                    case "/api/v1/clusters" -> made > 40;
                    case "/api/v1/accounts" -> made > 80;
                    default -> false;
                };
    }

    private String path(Operation operation) {
        var path = beginning(operation);
        for (var variable = VARIABLE.matcher(path); variable.find(); variable = VARIABLE.matcher(path)) {
            var known = known("", path.substring(0, variable.start() - 1));
            var id = !known.isEmpty() && values.chance(0.9)
                    ? values.recent(known)
                    : encoded(values.chance(0.5) ? argument(operation, variable.group(1)) : values.odd());
            path = variable.replaceFirst(Matcher.quoteReplacement(id));
        }
        return path;
    }

    /** The path as the document has it, or, more often, with a beginning at which there is something to be found. */
    private String beginning(Operation operation) {
        var path = operation.path();
        int last = path.lastIndexOf("/{");
        if (last < 0 || values.chance(0.1)) {
            return path;
        }
        var form = VARIABLE.matcher(path.substring(0, last)).replaceAll("[^/]+");
        var known = ids.keySet().stream()
                .filter(collection -> collection.matches(form))
                .sorted()
                .toList();
        return known.isEmpty() ? path : values.any(known) + path.substring(last);
    }

    private String argument(Operation operation, String name) {
        return operation.parameters().stream()
                .filter(parameter -> parameter.name().equals(name))
                .map(parameter -> text(values.value(name, parameter.schema())))
                .findAny()
                .orElseThrow();
    }

    private String query(Operation operation, String path) {
        var parts = new ArrayList<String>();
        for (var parameter : operation.parameters()) {
            if (parameter.in().equals("query") && (parameter.isRequired() || values.chance(0.25))) {
                parts.add(parameter.name() + "=" + encoded(argument(parameter, path)));
            }
        }
        if (values.chance(0.02)) {
            parts.add(encoded(values.odd()) + "=1");
        }
        return parts.isEmpty() ? "" : "?" + String.join("&", parts);
    }

    private String argument(Parameter parameter, String path) {
        if (values.chance(0.05)) {
            return values.odd();
        }
        return parameter.name().equals("after") && values.chance(0.9)
                ? cursors.getOrDefault(path, "0")
                : text(values.value(parameter.name(), parameter.schema()));
    }

    private static String text(JsonNode value) {
        return value.isString() ? value.asString() : value.toString();
    }

    private Map<String, String> headers(Operation operation, String path) {
        var headers = new LinkedHashMap<String, String>();
        authorization(path).ifPresent(authorization -> headers.put(AUTHORIZATION, authorization));
        if (operation.body().isPresent() && !values.chance(0.01)) {
            headers.put("Content-Type", values.chance(0.98) ? Contract.JSON : "text/plain");
        }
        if (values.chance(0.02)) {
            headers.put("Accept", values.any(List.of("text/html", "application/xml", "*/*", "a/b/c", "")));
        }
        for (var parameter : operation.parameters()) {
            if (parameter.in().equals("header") && values.chance(0.3)) {
                headers.put(parameter.name(), header(parameter, path));
            }
        }
        return headers;
    }

    private Optional<String> authorization(String path) {
        if (values.chance(0.02)) {
            return Optional.empty();
        }
        if (values.chance(0.02)) {
            return Optional.of("Bearer " + values.any(List.of("berth_guessed", "", "a b", "=", "x".repeat(3000))));
        }
        var owner = owners.getOrDefault(path, owners.get(changed(path)));
        if (owner != null && values.chance(0.7)) {
            return Optional.of(owner);
        }
        return Optional.of("Bearer " + (values.chance(0.5) ? tokens.getFirst() : values.any(tokens)));
    }

    private String header(Parameter parameter, String path) {
        if (values.chance(0.05)) {
            // what the client does not send by itself cannot be tried
            return values.odd().replaceAll("[^ -~\u00a0-\u00ff]", "?");
        }
        return switch (parameter.name()) {
            case "If-Match" ->
                values.chance(0.8) ? tags.getOrDefault(changed(path), "*") : "\"%s\"".formatted(values.name());
            case "Idempotency-Key" -> {
                if (keys.isEmpty() || values.chance(0.7)) {
                    keys.add(values.name());
                }
                yield values.recent(keys);
            }
            default -> values.text(parameter.name(), parameter.schema());
        };
    }

    /** What a call at a path such as {@code …/cancel} changes. */
    private static String changed(String path) {
        return path.replaceFirst("/[a-z]+$", "");
    }

    private Optional<String> body(Operation operation) {
        if (operation.body().isEmpty()) {
            return operation.method().equals("GET") || values.chance(0.98)
                    ? Optional.empty()
                    : Optional.of(values.odd());
        }
        if (values.chance(0.0005)) {
            return Optional.of("{\"name\":\"%s\"}".formatted("x".repeat(TOO_LARGE)));
        }
        return values.body(operation).map(body -> values.chance(0.2) ? values.spoilt(body) : body.toString());
    }

    /** Remembers what was made, by whom, in which version it is, and where lists go on. */
    public void learn(Call call, int status, Optional<String> tag, String body) {
        if (status >= 300) {
            return;
        }
        var path = call.path();
        // a calendar has nothing to remember, nor has a file
        boolean isJson = !body.isEmpty() && !path.endsWith(".ics") && !path.endsWith(".csv");
        var answer = isJson ? mapper.readTree(body) : mapper.missingNode();
        tag.ifPresent(value -> tags.put(call.operation().method().equals("GET") ? path : changed(path), value));
        answer.optional("next").filter(JsonNode::isString).ifPresent(next -> cursors.put(path, next.asString()));
        if (status == 201) {
            var id = answer.optional("id")
                    .or(() -> answer.optional("name"))
                    .map(JsonNode::asString)
                    .orElseThrow();
            ids.computeIfAbsent(path, unknown -> new ArrayList<>()).add(id);
            owners.put(path + "/" + id, call.headers().getOrDefault(AUTHORIZATION, ""));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
