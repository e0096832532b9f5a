package berth.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import berth.ChangedProgram;
import berth.ChangedProgram.Edit;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Adds a field to reservations: a cost centre. These edits are all that it takes for the field to be read, checked, recorded, shown and
 * documented; {@code openapi/berth.yaml} is then written again.
 */
@Tag("full")
class NewFieldIT {

    private static final Duration ENDING = Duration.ofMinutes(1);
    private static final String LABELS = "src/main/java/berth/reservation/ClientLabels.java";

    private static final List<Edit> EDITS = List.of(
            // its description
            Edit.of(
                    LABELS,
                    "client files it under",
                    "client files it under\n * @param costCentre the cost centre that pays for it"),
            // the field with its example
            Edit.of(LABELS, "Optional<String> project)", """
                    Optional<String> project,
                    @Settable(example = "4711") Optional<String> costCentre)"""),
            // its default
            Edit.of(
                    LABELS,
                    "new ClientLabels(Optional.empty(),",
                    "new ClientLabels(Optional.empty(), Optional.empty(),"),
            // the news
            Edit.of(
                    "CHANGELOG.md",
                    "## Unreleased",
                    "## Unreleased\n\n- New: `costCentre` of reservations, series and co-allocations.\n"));

    @Test
    void aFieldOfAReservationIsWrittenInFourPlaces(@TempDir Path directory) throws Exception {
        assumeThat(Files.isDirectory(Path.of("src/main/java/berth")))
                .as("whether the sources are there")
                .isTrue();
        assertThat(EDITS).as("the places where a field is written").hasSizeLessThanOrEqualTo(4);
        var changed = Program.with(ChangedProgram.compiled(directory.resolve("changed"), EDITS));

        String older;
        try (var before = Installation.in(directory)) {
            var service = before.start();
            older = reserved(before.api(), ",\"name\":\"older\"").id();
            stop(service);
        }
        try (var after = Installation.of(changed, directory)) {
            var service = after.start();
            var api = after.api();
            var one = reserved(api, ",\"name\":\"new\",\"costCentre\":\"4711\"");
            var without = reserved(api, "").id();
            var refused = api.post("/reservations", request(",\"costCentre\":\" \""));

            assertThat(one.body().path("costCentre").asString()).isEqualTo("4711");
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body().at("/errors/0/field").asString()).isEqualTo("costCentre");
            assertThat(content(after, one.id())).contains("\"costCentre\":\"4711\"");
            assertThat(content(after, without)).doesNotContain("costCentre");
            assertThat(documented(after, "Reserve")).isEqualTo(documented(after, "Reservation"));
            assertThat(documented(after, "NewSeries").at("/examples/0").asString())
                    .isEqualTo("4711");

            stop(service);
            after.start();
            assertThat(costCentre(api, one.id()).asString()).isEqualTo("4711");
            assertThat(costCentre(api, without).isNull()).isTrue();
            assertThat(costCentre(api, older).isNull()).isTrue();
            assertThat(api.get("/reservations/" + older).body().path("name").asString())
                    .isEqualTo("older");
        }
    }

    private static void stop(JavaProcess service) {
        service.askToStop();
        service.awaitExit(ENDING);
    }

    private static Api.Answer reserved(Api api, String labels) throws Exception {
        var answer = api.post("/reservations", request(labels));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer;
    }

    private static String request(String labels) {
        return "{\"cluster\":\"demo\",\"terms\":{\"duration\":\"PT1H\",\"pes\":1}%s}".formatted(labels);
    }

    private static JsonNode costCentre(Api api, String id) throws Exception {
        return api.get("/reservations/" + id).body().path("costCentre");
    }

    /** Returns a reservation as it is stored. */
    private static String content(Installation installation, String id) throws Exception {
        try (var connection = installation.connectToDatabase();
                var found = connection
                        .createStatement()
                        .executeQuery("select content from reservation where id = '%s'".formatted(id))) {
            assertThat(found.next()).isTrue();
            return found.getString(1);
        }
    }

    /** Returns what the OpenAPI document says about the field of a schema. */
    private static JsonNode documented(Installation installation, String schema) throws Exception {
        try (var document =
                URI.create(installation.url() + "/openapi/made").toURL().openStream()) {
            var field = JsonMapper.shared()
                    .readTree(document)
                    .at("/components/schemas/%s/properties/costCentre".formatted(schema));
            assertThat(field.path("maxLength").asInt()).as(schema).isEqualTo(200);
            return field;
        }
    }
}
