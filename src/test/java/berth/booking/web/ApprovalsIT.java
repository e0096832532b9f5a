package berth.booking.web;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.Contract;
import berth.service.ServiceSuite;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reservations wait for the approval of people by the rules of a cluster and of a project. */
class ApprovalsIT extends ServiceSuite {

    private static final String RESERVATIONS = "/api/v1/reservations";
    private static final String PROJECTS = "/api/v1/projects";

    private final String project = "p" + newName();

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private Api approver;

    @SuppressWarnings("NullAway.Init")
    private Api owner;

    @SuppressWarnings("NullAway.Init")
    private Api member;

    @SuppressWarnings("NullAway.Init")
    private Api stranger;

    @BeforeEach
    void makeRules() {
        cluster = newCluster(64);
        var names = List.of(newName(), newName(), newName(), newName());
        var callers = names.stream()
                .map(name -> new Api(port, Optional.of(tokenOf(name, "CLIENT"))))
                .toList();
        approver = callers.get(0);
        owner = callers.get(1);
        member = callers.get(2);
        stranger = callers.get(3);
        assertThat(admin.post(PROJECTS, "{\"id\":\"%s\",\"name\":\"Climate models\"}".formatted(project))
                        .status())
                .isEqualTo(201);
        put(names.get(1), "OWNER");
        put(names.get(2), "MEMBER");
        ok(admin.patch("/api/v1/clusters/" + cluster, """
                {"policy":{"approval":{"rules":[{"pesAbove":4}],"expires":"P1D","approvers":["%s"]}}}""".formatted(names.getFirst())));
    }

    private void put(String account, String role) {
        ok(admin.put(PROJECTS + "/" + project + "/members/" + account, "{\"role\":\"%s\"}".formatted(role)));
    }

    private static Reply ok(Reply reply) {
        assertThat(reply.status()).as("%s", reply.body()).isEqualTo(200);
        return reply;
    }

    private Reply reserve(Api by, int pes, String further) {
        return by.post(RESERVATIONS, """
                {"cluster":"%s","terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":%d}%s}""".formatted(cluster, at(24), at(48), pes, further));
    }

    private String pending(Api by, String further) {
        var reply = reserve(by, 8, further);
        assertThat(reply.status()).as("%s", reply.body()).isEqualTo(201);
        assertThat(reply.text("state")).isEqualTo("PENDING");
        return RESERVATIONS + "/" + reply.text("id");
    }

    private static List<String> toApprove(Api by) {
        return ok(by.get(RESERVATIONS + "?toApprove=true")).body().at("/items").findValuesAsString("id").stream()
                .map(id -> RESERVATIONS + "/" + id)
                .toList();
    }

    @Test
    void aReservationIsConfirmedByThoseWhoMayApprove() {
        assertThat(reserve(stranger, 4, "").text("state")).isEqualTo("CONFIRMED");
        assertThat(ok(stranger.post("/api/v1/probes", """
                        {"clusters":["%s"],"terms":{"duration":"PT1H","pes":8}}""".formatted(cluster)))
                        .body()
                        .at("/slots/0/needsApproval")
                        .asBoolean())
                .isTrue();
        assertThat(ok(reserve(stranger, 8, ",\"dryRun\":true"))
                        .body()
                        .at("/after/state")
                        .asString())
                .isEqualTo("PENDING");
        var path = pending(stranger, "");

        var shown = ok(stranger.get(path)).body();
        assertThat(shown.at("/approval/asked/0/by").asString()).isEqualTo("CLUSTER");
        assertThat(shown.at("/approval/asked/0/rule/pesAbove").asInt()).isEqualTo(4);
        assertThat(toApprove(approver)).contains(path);
        assertThat(toApprove(owner)).doesNotContain(path);
        assertThat(ok(approver.get(path)).text("state")).isEqualTo("PENDING");
        assertThat(owner.get(path).status()).isEqualTo(404);
        assertThat(owner.post(path + "/approve").status()).isEqualTo(404);
        assertThat(stranger.post(path + "/approve").status()).isEqualTo(403);
        assertThat(approver.post(path + "/cancel").status()).isEqualTo(403);

        var approved = ok(approver.post(path + "/approve", "{\"reason\":\"for the paper\"}"));

        assertThat(approved.text("state")).isEqualTo("CONFIRMED");
        assertThat(approved.body().at("/approval/asked/0/reason").asString()).isEqualTo("for the paper");
        assertThat(toApprove(approver)).doesNotContain(path);
        assertThat(approver.post(path + "/approve").text("code")).isEqualTo("wrong-state");
        assertThat(ok(stranger.get(path + "/events")).body().at("/items").findValuesAsString("type"))
                .containsExactly("approval-asked", "approved");
    }

    @Test
    void aDeclinedReservationSaysWhy() {
        var path = pending(stranger, "");

        assertThat(approver.post(path + "/decline", "{}")
                        .body()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("reason");
        var declined = ok(admin.post(path + "/decline", "{\"reason\":\"a course needs it\"}"));

        assertThat(declined.text("state")).isEqualTo("CANCELLED");
        assertThat(declined.text("reason")).isEqualTo("DECLINED");
        assertThat(ok(stranger.get(path)).body().at("/approval/asked/0/reason").asString())
                .isEqualTo("a course needs it");
    }

    @Test
    void theOwnersOfAProjectApproveByItsRules() {
        var rules = "{\"approval\":{\"rules\":[{\"peHoursAbove\":1}],\"expires\":\"PT2H\"}}";
        assertThat(member.patch(PROJECTS + "/" + project, rules).status()).isEqualTo(403);
        assertThat(ok(owner.patch(PROJECTS + "/" + project, rules))
                        .body()
                        .at("/approval/rules/0/peHoursAbove")
                        .asInt())
                .isEqualTo(1);
        var path = pending(member, ",\"project\":\"%s\"".formatted(project));

        assertThat(ok(member.get(path)).body().at("/approval/asked").findValuesAsString("by"))
                .containsExactly("CLUSTER", "PROJECT");
        assertThat(toApprove(owner)).contains(path);
        assertThat(ok(owner.post(path + "/approve")).text("state")).isEqualTo("PENDING");
        assertThat(toApprove(owner)).doesNotContain(path);
        assertThat(ok(approver.post(path + "/approve")).text("state")).isEqualTo("CONFIRMED");
        assertThat(member.post(path + "/extend", "{\"by\":\"PT1H\"}").text("code"))
                .isEqualTo("needs-approval");
    }

    @Test
    void aPartOfACoallocationCannotWait() {
        var other = newCluster(64);
        var refused = stranger.post("/api/v1/coallocations", """
                {"parts":[{"cluster":"%s","terms":{"duration":"PT1H","pes":8}},{"cluster":"%s","terms":{"duration":"PT1H","pes":8}}]}""".formatted(other, cluster));

        needsApproval("coallocate", refused);
        assertThat(ok(stranger.get(RESERVATIONS + "?state=HELD")).body().at("/items"))
                .isEmpty();
        assertThat(ok(stranger.get(RESERVATIONS + "?state=CONFIRMED")).body().at("/items"))
                .isEmpty();
    }

    @Test
    void twentyReservationsOfAnAccountWaitOnAllClustersTogether() {
        for (int i = 0; i < 20; i++) {
            pending(stranger, "");
        }
        cluster = newCluster(64);
        ok(admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"approval\":{\"rules\":[{\"pesAbove\":4}]}}}"));

        assertThat(reserve(stranger, 8, "").text("code")).isEqualTo("limit-exceeded");
        assertThat(reserve(stranger, 8, ",\"dryRun\":true").text("code")).isEqualTo("limit-exceeded");
        assertThat(reserve(stranger, 4, "").text("state")).isEqualTo("CONFIRMED");
        pending(member, "");
    }

    @Test
    void aHandOverThatARuleMatchesCannotWait() {
        var heir = newName();
        var unused = tokenOf(heir, "CLIENT");
        put(heir, "MEMBER");
        var path = RESERVATIONS + "/"
                + reserve(member, 4, ",\"project\":\"%s\"".formatted(project)).text("id");
        ok(admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"approval\":{\"rules\":[{\"pesAbove\":2}]}}}"));

        needsApproval("transferReservation", member.post(path + "/transfer", "{\"account\":\"%s\"}".formatted(heir)));
    }

    @Test
    void anOccurrenceThatCanOnlyBeginAtOnceCannotWait() {
        var planned = clock.instant().atZone(ZoneOffset.UTC).plusMinutes(1).toLocalDateTime();
        var series = """
                {"cluster":"%s","terms":{"duration":"PT1H","pes":8},"window":{"earliest":"PT1H"},"onConflict":"%%s",
                 "recurrence":{"rrule":"FREQ=DAILY;COUNT=2","dtstart":"%s","zone":"UTC"}}""".formatted(cluster, planned.truncatedTo(ChronoUnit.MINUTES));

        needsApproval("createSeries", stranger.post("/api/v1/series", series.formatted("ALL")));
        var path = "/api/v1/series/"
                + stranger.post("/api/v1/series", series.formatted("ANY")).text("id");

        assertThat(ok(stranger.get(path)).body().at("/occurrences").findValuesAsString("state"))
                .containsExactly("REFUSED", "BOOKED");
        needsApproval("bookOccurrence", stranger.post(path + "/occurrences/" + planned.toLocalDate()));
    }

    /** Checks that a call was rejected because it cannot wait for approval, as the document says that it can be. */
    private void needsApproval(String call, Reply refused) {
        assertThat(refused.text("code")).as("%s", refused.body()).isEqualTo("needs-approval");
        var contract = new Contract(admin.get("/openapi").body().toString());
        var operation = contract.operations().stream()
                .filter(one -> one.id().equals(call))
                .findFirst()
                .orElseThrow();
        assertThat(contract.violations(
                        operation,
                        refused.status(),
                        refused.contentType(),
                        refused.body().toString()))
                .isEmpty();
    }

    @Test
    void aRuleThatMakesNoSenseIsNamed() {
        var wrong = admin.patch("/api/v1/clusters/" + cluster, """
                {"policy":{"approval":{"rules":[{"pesAbove":4},{}],"expires":"PT0S"}}}""");

        assertThat(wrong.body().at("/errors").findValuesAsString("field"))
                .containsExactlyInAnyOrder("policy.approval.rules[1].pesAbove", "policy.approval.expires");
        assertThat(admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"approval\":{\"rules\":[{\"pes\":4}]}}}")
                        .body()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("policy.approval.rules[0].pes");
    }
}
