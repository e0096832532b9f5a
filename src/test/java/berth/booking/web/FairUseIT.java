package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.ServiceSuite;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FairUseIT extends ServiceSuite {

    private static final String RESERVATIONS = "/api/v1/reservations";

    private final String name = newName();

    private Api limited(String limits) {
        var client = new Api(port, Optional.of(tokenOf(name, "CLIENT")));
        assertThat(admin.patch("/api/v1/accounts/" + name, "{\"limits\":%s}".formatted(limits))
                        .status())
                .isEqualTo(200);
        return client;
    }

    private static Reply reserve(Api client, String cluster, int pes, String further) {
        return client.post(RESERVATIONS, """
                {"cluster":"%s","terms":{"duration":"PT1H","pes":%d}%s}""".formatted(cluster, pes, further));
    }

    private static void assertExceeded(Reply reply, String limit) {
        assertThat(reply.text("code")).as(reply.body().toString()).isEqualTo("limit-exceeded");
        assertThat(reply.text("errors.0.field")).isEqualTo("limits." + limit);
    }

    @Test
    void endedRunsCountOnAllClustersForAWeek() {
        var client = limited("{\"peHoursPerWeek\":10}");
        var cluster = newCluster(8);
        var run = reserve(client, cluster, 8, "");
        pass(Duration.ofMinutes(30));
        assertThat(client.post(RESERVATIONS + "/" + run.text("id") + "/cancel").text("state"))
                .isEqualTo("CANCELLED");

        // half of the run was used: 4 PE-hours
        var other = newCluster(8);
        assertExceeded(reserve(client, other, 7, ""), "peHoursPerWeek");
        assertExceeded(reserve(client, other, 7, ",\"start\":\"%s\"".formatted(at(6 * 24))), "peHoursPerWeek");
        assertThat(reserve(client, other, 7, ",\"start\":\"%s\"".formatted(at(7 * 24)))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void aRunThatHasEndedIsFollowedByAPause() {
        var client = limited("{\"coolDown\":{\"duration\":\"PT6H\",\"after\":\"PT1H\"}}");
        var cluster = newCluster(8);
        assertThat(reserve(client, cluster, 8, "").status()).isEqualTo(201);
        pass(Duration.ofHours(2));

        var soon = reserve(client, cluster, 8, "");
        assertExceeded(soon, "coolDown");
        assertThat(soon.text("errors.0.message")).startsWith("18000 s are missing");
        pass(Duration.ofHours(5));
        assertThat(reserve(client, cluster, 8, "").status()).isEqualTo(201);
    }

    @Test
    void aPauseIsReadAndRefused() {
        limited("{\"coolDown\":{\"duration\":\"PT6H\"}}");
        var path = "/api/v1/accounts/" + name;

        assertThat(admin.get(path).text("limits.coolDown.after")).isEqualTo("PT0S");
        for (var wrong : new String[][] {
            {"{\"duration\":\"P8D\"}", "duration"},
            {"{\"duration\":null}", "duration"},
            {"{\"after\":\"PT-1H\"}", "after"},
            {"{\"after\":\"soon\"}", "after"}
        }) {
            var reply = admin.patch(path, "{\"limits\":{\"coolDown\":%s}}".formatted(wrong[0]));
            assertThat(reply.text("errors.0.field")).as(wrong[0]).isEqualTo("limits.coolDown." + wrong[1]);
        }
    }
}
