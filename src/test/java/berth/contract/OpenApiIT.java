package berth.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Contract;
import berth.service.ServiceSuite;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI document: whether it is that of the controllers, and whether it is complete. */
class OpenApiIT extends ServiceSuite {

    private static final Path FILE = Path.of("openapi", "berth.yaml");
    private static final JsonMapper JSON = new JsonMapper();
    private static final String WRITE = "berth.openapi.write";

    @Test
    void theDocumentSaysWhatTheControllersDo() throws Exception {
        var made = read("/openapi/made.yaml").body();
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(FILE, made);
        }
        assertThat(FILE)
                .as("%s is out of date. Rewrite it: mvn test -Dtest=OpenApiIT -D%s=true", FILE, WRITE)
                .hasSameTextualContentAs(Files.writeString(directory.resolve("made.yaml"), made));
    }

    @Test
    void theServiceReturnsItsDocumentAsYamlAndAsJson() throws Exception {
        var shipped = new ClassPathResource("openapi/berth.yaml").getContentAsString(UTF_8);
        var document = new YAMLMapper().readTree(shipped).toString();

        assertThat(read("/openapi.yaml").body()).isEqualTo(shipped);
        assertThat(JSON.readTree(read("/openapi").body())).isEqualTo(JSON.readTree(document));
    }

    @Test
    void theDocumentAndSwaggerUiNeedNoToken() throws Exception {
        assertThat(read("/openapi").headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(read("/docs").uri().getPath()).isEqualTo("/swagger-ui/index.html");
        var page = read("/swagger-ui/index.html");
        assertThat(page.body()).contains("Swagger UI");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'");
        assertThat(read("/swagger-ui/swagger-initializer.js").body()).contains("url: '/openapi'");
        assertThat(read("/swagger-ui/swagger-ui-bundle.js").statusCode()).isEqualTo(200);
    }

    @Test
    void theDocumentHasOnlyCallsOfTheContract() throws Exception {
        var document = contract().document();
        assertThat(document.get("openapi").asString()).startsWith("3.1.");
        assertThat(document.at("/servers/0/url").asString()).isEqualTo("/");
        assertThat(document.get("paths").propertyNames())
                .allMatch(path -> path.equals("/api/v1") || path.startsWith("/api/v1/"));
    }

    @Test
    void everyCallIsDescribed() throws Exception {
        var contract = contract();
        var calls = contract.operations();
        assertThat(calls).extracting(Contract.Operation::id).doesNotHaveDuplicates();
        for (var call : calls) {
            assertThat(call.id()).as("%s", call).matches("[a-z]+[A-Za-z]*");
            assertThat(call.node().path("summary").asString()).as("%s", call).isNotEmpty();
            assertThat(call.node().path("description").asString())
                    .as("%s", call)
                    .isNotEmpty();
            assertThat(call.node().path("parameters")).allSatisfy(parameter -> {
                assertThat(parameter.path("description").asString())
                        .as("%s of %s", parameter, call.id())
                        .isNotEmpty();
                assertThat(isBounded(parameter.get("schema")))
                        .as("%s of %s", parameter, call.id())
                        .isTrue();
            });
        }
    }

    @Test
    void everyReadingCallSaysWhichChangesItSees() throws Exception {
        var calls = contract().operations();
        assertThat(calls)
                .filteredOn(call -> call.method().equals("GET") || call.path().startsWith("/api/v1/probes"))
                .isNotEmpty()
                .allSatisfy(
                        call -> assertThat(call.node().path("description").asString())
                                .as("%s", call.id())
                                .containsPattern(
                                        "changes acknowledged before the call|once it is recorded|files that exist|data about each instance"));
        assertThat(calls)
                .filteredOn(call ->
                        call.node().path("description").asString().contains("within five seconds, the response is 503"))
                .extracting(Contract.Operation::id)
                .contains(
                        "listReservations",
                        "readReservation",
                        "listEvents",
                        "readSchedule",
                        "readStatistics",
                        "readCoallocation")
                .doesNotContain("readCluster", "listClusters", "readAccount", "readMe", "probe");
    }

    @Test
    void everyFieldIsDescribed() throws Exception {
        var missing = new ArrayList<String>();
        contract().namedSchemas().forEach(schema -> {
            if (schema.getValue().path("description").asString().isEmpty()) {
                missing.add(schema.getKey());
            }
            schema.getValue().path("properties").propertyStream().forEach(field -> {
                boolean isDescribed =
                        !field.getValue().path("description").asString().isEmpty();
                if (!isDescribed || !isBounded(field.getValue())) {
                    missing.add(schema.getKey() + "." + field.getKey());
                }
            });
        });
        assertThat(missing)
                .as("fields without Javadoc, or without a word of Vocabulary")
                .isEmpty();
    }

    /** Whether it says enough to be filled in: a text without bounds, say, does not. */
    private static boolean isBounded(JsonNode schema) {
        var types = types(schema);
        boolean isChosen = schema.has("$ref") || schema.has("anyOf") || schema.has("enum");
        if (isChosen || types.isEmpty() || types.contains("boolean")) {
            return true;
        }
        if (types.contains("array")) {
            return isBounded(schema.get("items"));
        }
        if (types.contains("object")) {
            return !schema.has("additionalProperties") || isBounded(schema.get("additionalProperties"));
        }
        boolean hasBounds = types.contains("string")
                ? schema.has("format") || schema.has("pattern") || schema.has("maxLength")
                : schema.has("minimum") && schema.has("maximum");
        return hasBounds && schema.has("examples");
    }

    private static List<String> types(JsonNode schema) {
        var type = schema.path("type");
        return type.isString()
                ? List.of(type.asString())
                : type.valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void everyExampleIsValid() throws Exception {
        var contract = contract();
        var wrong = new ArrayList<String>();
        contract.namedSchemas().forEach(named -> {
            check(contract, named.getKey(), named.getValue(), wrong);
            named.getValue()
                    .path("properties")
                    .propertyStream()
                    .forEach(field -> check(contract, named.getKey() + "." + field.getKey(), field.getValue(), wrong));
        });
        var problem = contract.document().at("/components/schemas/Problem");
        contract.document()
                .at("/components/examples")
                .propertyStream()
                .forEach(example -> contract.violations(
                                problem, example.getValue().get("value"))
                        .forEach(violation -> wrong.add(example.getKey() + ": " + violation)));
        assertThat(wrong).isEmpty();
    }

    private static void check(Contract contract, String name, JsonNode schema, List<String> wrong) {
        schema.path("examples")
                .forEach(example ->
                        contract.violations(schema, example).forEach(violation -> wrong.add(name + ": " + violation)));
    }

    private Contract contract() throws IOException, InterruptedException {
        return new Contract(read("/openapi/made").body());
    }

    private HttpResponse<String> read(String path) throws IOException, InterruptedException {
        try (var http = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()) {
            var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
            return http.send(request.build(), BodyHandlers.ofString());
        }
    }
}
