package berth.peers;

import static org.assertj.core.api.Assertions.assertThatCode;

import berth.booking.RemoteRequest;
import berth.peers.Mirror.Owed;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class MirrorTest {

    private static final JsonMapper JSON = new JsonMapper();

    private static final String ANSWER = """
            {"id":"0190a000-0000-7000-8000-0000000000aa","state":"HELD","version":3,"movable":true,"updatedAt":"2027-01-01T12:00:00Z",
             "price":{"amount":"1.00","currency":"USD"},
             "placement":{"start":"2027-01-01T12:00:00Z","end":"2027-01-01T13:00:00Z","pes":4}}""";

    /** Every kind of value, and none. */
    private static final List<String> VALUES = List.of(
            "{}",
            "[]",
            "[1]",
            "{\"a\":1}",
            "null",
            "true",
            "1e400",
            "-1",
            "\"\"",
            "\"x\"",
            "\"+999999999-12-31T23:59:59Z\"");

    /** Another Berth may be wrong in any field. */
    @Test
    void malformedAnswersOfAnotherBerthCauseNoOtherError() {
        var fields = new ArrayList<JsonPointer>();
        collect(JSON.readTree(ANSWER), JsonPointer.empty(), fields);
        var request = new RemoteRequest(
                RequestedTerms.of(OptionalLong.empty(), OptionalLong.empty(), 3600, 4), OptionalLong.empty());
        for (var field : fields) {
            for (var value : VALUES) {
                var answer = (ObjectNode) JSON.readTree(ANSWER);
                ((ObjectNode) answer.at(field.head())).set(field.last().getMatchingProperty(), JSON.readTree(value));
                assertThatCode(() -> use(request, answer))
                        .as("%s is %s", field, value)
                        .doesNotThrowAnyException();
            }
        }
    }

    private static void use(RemoteRequest request, JsonNode answer) {
        if (Mirror.isReservation(answer)) {
            request.isMetBy(answer);
            var mirror = new Mirror(
                    new ReservationId(UUID.randomUUID()),
                    new ClusterId("far"),
                    new Origin(new AccountName("alice"), ServiceClass.STANDARD),
                    "there",
                    Owed.NOTHING,
                    new Mirror.Report(answer, 0, true),
                    false,
                    0);
            mirror.state();
            mirror.version();
            mirror.start();
            mirror.end();
            mirror.heard(answer, 1);
        }
    }

    private static void collect(JsonNode node, JsonPointer at, List<JsonPointer> fields) {
        node.properties().forEach(property -> {
            var field = at.appendProperty(property.getKey());
            fields.add(field);
            collect(property.getValue(), field, fields);
        });
    }
}
