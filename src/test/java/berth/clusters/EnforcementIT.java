package berth.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.Scrape;
import berth.service.ServiceSuite;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class EnforcementIT extends ServiceSuite {

    private Api agent = new Api(0, Optional.empty());

    private String enforced(String rule) {
        var cluster = newCluster(4);
        var changed = admin.patch(
                "/api/v1/clusters/" + cluster,
                "{\"binding\":\"EARLY\",\"policy\":{\"enforcement\":\"%s\"}}".formatted(rule));
        assertThat(changed.text("policy.enforcement")).isEqualTo(rule);
        agent = new Api(port, Optional.of(tokenOfAgent(newName(), cluster)));
        return cluster;
    }

    private Reply book(Api owner, String cluster, Duration ahead) {
        return reserve(
                owner,
                cluster,
                "{\"readyTime\":\"%s\",\"deadline\":\"%s\",\"duration\":\"PT1H\",\"pes\":2}"
                        .formatted(
                                clock.instant().plus(ahead),
                                clock.instant().plus(ahead).plusSeconds(3600)));
    }

    private static String inPlace(Reply booked) {
        return "{\"id\":\"%s\",\"state\":\"MATERIALISED\",\"handle\":\"berth.x.0\",\"nodes\":\"n[1-2]\",\"start\":\"%s\",\"end\":\"%s\",\"peIds\":\"%s\"}"
                .formatted(
                        booked.text("id"),
                        booked.text("placement.start"),
                        booked.text("placement.end"),
                        booked.text("placement.peIds"));
    }

    private Reply tell(String cluster, String name, String reservations) {
        return agent.put("/api/v1/clusters/%s/enforcement".formatted(cluster), """
                {"agent":"%s","version":"7","sequence":1,"lease":"PT1M","reservations":[%s]}""".formatted(name, reservations));
    }

    @Test
    void theOwnerSeesWhetherItsReservationIsInPlace() {
        var cluster = enforced("REPORTED");
        var owner = client();
        var booked = book(owner, cluster, Duration.ofHours(1));
        assertThat(booked.text("enforcement.state")).isEqualTo("PENDING");
        var path = "/api/v1/reservations/" + booked.text("id");

        var told = tell(cluster, "head1", inPlace(booked));

        assertThat(told.status()).as("%s", told.body()).isEqualTo(200);
        assertThat(told.text("agent")).isEqualTo("head1");
        assertThat(told.text("until")).isEqualTo(clock.instant().plusSeconds(60).toString());
        assertThat(told.body().at("/states/MATERIALISED").asInt()).isEqualTo(1);
        assertThat(told.body())
                .isEqualTo(viewer().get("/api/v1/clusters/%s/enforcement".formatted(cluster))
                        .body());
        var seen = owner.get(path);
        assertThat(seen.text("enforcement.state")).isEqualTo("MATERIALISED");
        assertThat(seen.text("enforcement.handle")).isEqualTo("berth.x.0");
        assertThat(seen.text("enforcement.nodes")).isEqualTo("n[1-2]");
        assertThat(Instant.parse(seen.text("enforcement.heardAt"))).isEqualTo(clock.instant());
        var happened = owner.get(path + "/events").body().path("items");
        assertThat(happened.findValuesAsString("type")).containsExactly("confirmed", "enforced");
        assertThat(happened.findValuesAsString("handle")).containsExactly("berth.x.0");
    }

    @Test
    void aReservationThatWaitsForAllItsPesIsNotExpectedOnTheMachine() {
        var cluster = enforced("REPORTED");
        var owner = client();
        var booked = book(owner, cluster, Duration.ofHours(1));
        assertThat(tell(cluster, "head1", inPlace(booked))
                        .body()
                        .at("/states/MATERIALISED")
                        .asInt())
                .isEqualTo(1);

        var outage = admin.post("/api/v1/clusters/%s/outages".formatted(cluster), "{\"peIds\":\"0-3\"}");

        assertThat(outage.status()).as("%s", outage.body()).isEqualTo(201);
        var seen = owner.get("/api/v1/reservations/" + booked.text("id"));
        assertThat(seen.text("state")).isEqualTo("CONFIRMED");
        assertThat(seen.body().at("/losses/lacks")).isNotEmpty();
        assertThat(seen.body().at("/enforcement/expectedAt").isNull()).isTrue();
        var states = tell(cluster, "head1", "").body().path("states");
        assertThat(states.valueStream().mapToInt(JsonNode::asInt).sum()).isZero();
    }

    @Test
    void onlyOneAgentAtATimeReportsForACluster() {
        var cluster = enforced("REPORTED");
        assertThat(tell(cluster, "head1", "").status()).isEqualTo(200);

        var other = tell(cluster, "head2", "");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.text("code")).isEqualTo("wrong-state");
        assertThat(other.text("detail")).contains("head1");
        assertThat(tell(cluster, "head1", "").status()).isEqualTo(200);
        clock.advance(Duration.ofSeconds(60));
        assertThat(tell(cluster, "head2", "").status()).isEqualTo(200);
        assertThat(tell(cluster, "head1", "").text("detail")).contains("head2");
    }

    @Test
    void anAgentThatGivesItsLeaseBackMakesWayForAnother() {
        var cluster = enforced("REPORTED");
        assertThat(tell(cluster, "head1", "").status()).isEqualTo(200);
        var path = "/api/v1/clusters/%s/enforcement".formatted(cluster);

        var left = agent.put(path, "{\"agent\":\"head1\",\"lease\":\"PT0S\",\"reservations\":[]}");

        assertThat(left.text("until")).isEqualTo(clock.instant().toString());
        assertThat(tell(cluster, "head2", "").status()).isEqualTo(200);
    }

    private Reply follow(String cluster, String machine, String nodes, String lease) {
        return agent.put("/api/v1/clusters/%s/enforcement".formatted(cluster), """
                {"agent":"head1","machine":"%s","nodes":"%s","lease":"%s","reservations":[]}""".formatted(machine, nodes, lease));
    }

    @Test
    void aNodeOfAMachineBelongsToOneCluster() {
        var machine = newName();
        var first = enforced("REPORTED");
        var ofFirst = agent;
        assertThat(follow(first, machine, "n[1-4]", "PT1M").text("nodes")).isEqualTo("n[1-4]");
        var second = enforced("REPORTED");

        var refused = follow(second, machine, "n[4-7]", "PT1M");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("detail"))
                .contains("Node n4 also belongs to cluster " + first, "Give this cluster other nodes");
        var path = "/api/v1/clusters/%s/enforcement".formatted(second);
        assertThat(admin.get(path).text("fault")).isEqualTo(refused.text("detail"));
        // another machine may have nodes of the same names, and other nodes are no conflict
        assertThat(follow(second, newName(), "n[4-7]", "PT0S").status()).isEqualTo(200);
        assertThat(admin.get(path).body().path("fault").isNull()).isTrue();
        assertThat(follow(second, machine, "n[5-8]", "PT0S").status()).isEqualTo(200);
        assertThat(follow(first, machine, "n[1-4]", "PT0S").status()).isEqualTo(403);
        agent = ofFirst;
        follow(first, machine, "n[1-4]", "PT0S");
        agent = new Api(port, Optional.of(tokenOfAgent(newName(), second)));
        assertThat(follow(second, machine, "n[4-7]", "PT0S").status()).isEqualTo(200);
    }

    @Test
    void anAgentReportsWhyItCannotFollowThePlan() {
        var cluster = enforced("REPORTED");
        var path = "/api/v1/clusters/%s/enforcement".formatted(cluster);

        agent.put(path, "{\"agent\":\"head1\",\"fault\":\"Slurm has no node n7.\",\"reservations\":[]}");

        assertThat(viewer().get(path).text("fault")).isEqualTo("Slurm has no node n7.");
        tell(cluster, "head1", "");
        assertThat(viewer().get(path).body().path("fault").isNull()).isTrue();
        assertThat(agent.put(path, "{\"agent\":\"a\",\"machine\":\"m\",\"nodes\":\"n[1-\",\"reservations\":[]}")
                        .text("errors.0.field"))
                .isEqualTo("nodes");
    }

    @Test
    void aReservationSaysFromWhenJobsCanBeSubmitted() {
        var cluster = enforced("REPORTED");
        var owner = client();
        var booked = book(owner, cluster, Duration.ofDays(3));
        var path = "/api/v1/reservations/" + booked.text("id");
        assertThat(owner.get(path).body().at("/enforcement/expectedAt").isNull())
                .isTrue();

        agent.put(
                "/api/v1/clusters/%s/enforcement".formatted(cluster),
                "{\"agent\":\"head1\",\"ahead\":\"P1D\",\"reservations\":[]}");

        assertThat(Instant.parse(owner.get(path).text("enforcement.expectedAt")))
                .isEqualTo(Instant.parse(booked.text("placement.start")).minus(Duration.ofDays(1)));
        tell(cluster, "head1", inPlace(booked));
        assertThat(owner.get(path).body().at("/enforcement/expectedAt").isNull())
                .isTrue();
    }

    @Test
    void aReservationThatIsNotInPlaceFailsWithACreditIfItMustBe() throws Exception {
        var cluster = enforced("REQUIRED");
        var owner = client();
        var booked = book(owner, cluster, Duration.ofMinutes(1));
        var path = "/api/v1/reservations/" + booked.text("id");
        tell(
                cluster,
                "head1",
                "{\"id\":\"%s\",\"state\":\"FAILED\",\"detail\":\"no such user\"}".formatted(booked.text("id")));
        assertThat(owner.get(path).text("enforcement.detail")).isEqualTo("no such user");

        clock.advance(Duration.ofSeconds(61));
        desks.catchUp();
        var own = Map.of("cluster", cluster);
        assertThat(Scrape.of(admin).value("berth_reservations_unenforced", own)).isEqualTo(1);
        assertThat(Scrape.of(admin).value("berth_agent_silent_seconds", own)).isEqualTo(61);
        clock.advance(Duration.ofSeconds(60));
        desks.catchUp();

        var failed = owner.get(path);
        assertThat(failed.text("state")).isEqualTo("FAILED");
        assertThat(failed.text("reason")).isEqualTo("NOT_ENFORCED");
        assertThat(failed.text("enforcement.detail")).isEqualTo("no such user");
        assertThat(failed.text("credit.amount")).isNotEqualTo("0.00");
        assertThat(Scrape.of(admin).value("berth_reservations_unenforced", own)).isZero();
    }

    @Test
    void pesTakenByJobsOfOthersAreShownAndNotOwed() throws Exception {
        var cluster = enforced("REPORTED");
        var owner = client();
        var booked = book(owner, cluster, Duration.ofMinutes(1));
        var path = "/api/v1/reservations/" + booked.text("id");
        var first = booked.text("placement.peIds").split("-")[0];
        tell(cluster, "head1", inPlace(booked));
        clock.advance(Duration.ofMinutes(2));
        desks.catchUp();
        assertThat(owner.get(path).body().path("losses").isNull()).isTrue();

        var taken =
                "{\"id\":\"%s\",\"state\":\"DRIFTED\",\"cause\":\"NODES_BUSY\",\"detail\":\"job 7\",\"taken\":\"%s\"}"
                        .formatted(booked.text("id"), first);
        assertThat(tell(cluster, "head1", taken).status()).isEqualTo(200);

        var since = clock.instant();
        var running = owner.get(path);
        assertThat(running.text("state")).isEqualTo("RUNNING");
        assertThat(running.text("placement.pes")).isEqualTo("2");
        assertThat(running.text("losses.taken.peIds")).isEqualTo(first);
        assertThat(running.text("losses.taken.since")).isEqualTo(since.toString());
        assertThat(running.text("losses.taken.until"))
                .isEqualTo(since.plus(Duration.ofHours(1)).toString());
        assertThat(running.text("enforcement.detail")).isEqualTo("job 7");
        clock.advance(Duration.ofMinutes(6));
        tell(cluster, "head1", inPlace(booked));
        clock.advance(Duration.ofHours(1));
        desks.catchUp();

        var ended = owner.get(path);
        assertThat(ended.text("state")).isEqualTo("COMPLETED");
        assertThat(ended.body().at("/losses/taken/peSeconds").asInt()).isEqualTo(360);
        assertThat(ended.body().at("/losses/taken/peIds").isNull()).isTrue();
        var price = new BigDecimal(booked.text("price.amount"));
        assertThat(new BigDecimal(ended.text("price.amount")))
                .isEqualByComparingTo(price.multiply(new BigDecimal("0.95")));
        assertThat(new BigDecimal(ended.text("credit.amount")))
                .isEqualByComparingTo(price.multiply(new BigDecimal("0.05")));
        var happened = owner.get(path + "/events").body().path("items");
        assertThat(happened.findValuesAsString("type"))
                .containsExactly("confirmed", "enforced", "started", "enforcement-failed", "enforced", "completed");
    }

    @Test
    void aReservationNamesItsUsers() {
        var cluster = enforced("REPORTED");
        var owner = client();
        var terms = "{\"cluster\":\"%s\",\"terms\":{\"duration\":\"PT1H\",\"pes\":2},\"users\":[%s]}";

        var booked = owner.post("/api/v1/reservations", terms.formatted(cluster, "\"ada\",\"b_b\",\"ada\""));

        assertThat(booked.body().path("users").toString()).isEqualTo("[\"ada\",\"b_b\"]");
        assertThat(owner.get("/api/v1/reservations/" + booked.text("id")).body().path("users"))
                .isEqualTo(booked.body().path("users"));
        assertThat(agent.get("/api/v1/clusters/%s/schedule".formatted(cluster))
                        .body()
                        .at("/placements/0/users"))
                .isEqualTo(booked.body().path("users"));
        assertThat(owner.post("/api/v1/reservations", terms.formatted(cluster, "\"ada\",\"a,b\""))
                        .text("errors.0.field"))
                .isEqualTo("users[1]");
        var many = String.join(",", Collections.nCopies(51, "\"ada\""));
        assertThat(owner.post("/api/v1/reservations", terms.formatted(cluster, many))
                        .text("errors.0.field"))
                .isEqualTo("users");
    }

    @Test
    void anOwnerChangesTheUsersOfItsReservation() {
        var cluster = enforced("REPORTED");
        var owner = client();
        var booked = book(owner, cluster, Duration.ofHours(1));
        var path = "/api/v1/reservations/" + booked.text("id");

        var changed = owner.patch(path, "{\"users\":[\"ada\",\"b_b\",\"ada\"]}");

        assertThat(changed.status()).as("%s", changed.body()).isEqualTo(200);
        assertThat(changed.body().path("users").toString()).isEqualTo("[\"ada\",\"b_b\"]");
        assertThat(changed.body().path("version").asInt())
                .isEqualTo(booked.body().path("version").asInt() + 1);
        assertThat(changed.body().path("price")).isEqualTo(booked.body().path("price"));
        assertThat(owner.get(path).body()).isEqualTo(changed.body());
        assertThat(agent.get("/api/v1/clusters/%s/schedule".formatted(cluster))
                        .body()
                        .at("/placements/0/users"))
                .isEqualTo(changed.body().path("users"));
        // nothing to change
        assertThat(owner.patch(path, "{\"users\":[\"ada\",\"b_b\"]}").body()).isEqualTo(changed.body());
        assertThat(owner.patch(path, "{\"users\":[]}").body().path("users")).isEmpty();
        var happened = owner.get(path + "/events").body().path("items");
        assertThat(happened.findValuesAsString("type")).containsExactly("confirmed", "users-changed", "users-changed");
    }

    @Test
    void onlyAnOwnerOrAnAdministratorChangesUsersAndOnlyWhileItIsLive() {
        var cluster = enforced("REPORTED");
        var owner = client();
        var booked = book(owner, cluster, Duration.ofHours(1));
        var path = "/api/v1/reservations/" + booked.text("id");

        assertThat(client().patch(path, "{\"users\":[\"eve\"]}").status()).isEqualTo(404);
        assertThat(agent.patch(path, "{\"users\":[\"eve\"]}").status()).isEqualTo(403);
        assertThat(admin.patch(path, "{\"users\":[\"ada\"]}").status()).isEqualTo(200);
        assertThat(owner.patch(path, "{}").text("errors.0.field")).isEqualTo("users");
        assertThat(owner.patch(path, "{\"users\":[\"a,b\"]}").text("errors.0.field"))
                .isEqualTo("users[0]");
        assertThat(owner.patch(path, "{\"users\":\"ada\"}").text("errors.0.field"))
                .isEqualTo("users");
        assertThat(owner.patch(path, "{\"name\":\"x\"}").text("errors.0.field")).isEqualTo("name");
        var many = String.join(",", Collections.nCopies(51, "\"ada\""));
        assertThat(owner.patch(path, "{\"users\":[%s]}".formatted(many)).text("errors.0.field"))
                .isEqualTo("users");
        owner.post(path + "/cancel", "");

        var refused = owner.patch(path, "{\"users\":[]}");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("code")).isEqualTo("wrong-state");
    }

    @Test
    void malformedReportsNameTheField() {
        var cluster = enforced("REPORTED");
        var booked = book(client(), cluster, Duration.ofHours(1));
        var path = "/api/v1/clusters/%s/enforcement".formatted(cluster);
        var id = booked.text("id");

        assertThat(agent.put(path, "{\"reservations\":[]}").text("errors.0.field"))
                .isEqualTo("agent");
        assertThat(agent.put(path, "{\"agent\":\"a\",\"lease\":\"P1D\",\"reservations\":[]}")
                        .text("errors.0.message"))
                .contains("PT0S to PT1H");
        assertThat(tell(cluster, "head1", "{\"id\":\"%s\",\"state\":\"MATERIALISED\"}".formatted(id))
                        .text("errors.0.field"))
                .isEqualTo("reservations[0].start");
        assertThat(tell(
                                cluster,
                                "head1",
                                inPlace(booked).replace(booked.text("placement.end"), booked.text("placement.start")))
                        .text("errors.0.field"))
                .isEqualTo("reservations[0].end");
        assertThat(tell(
                                cluster,
                                "head1",
                                "{\"id\":\"%s\",\"state\":\"DRIFTED\",\"cause\":\"USERS_UNKNOWN\"}".formatted(id))
                        .text("errors.0.field"))
                .isEqualTo("reservations[0].start");
        assertThat(tell(cluster, "head1", inPlace(booked).replace("}", ",\"taken\":\"0\"}"))
                        .text("errors.0.field"))
                .isEqualTo("reservations[0].taken");
        var other = "{\"id\":\"%s\",\"state\":\"DRIFTED\",\"cause\":\"OTHER\",\"taken\":\"0\"}".formatted(id);
        assertThat(tell(cluster, "head1", other).text("errors.0.message")).contains("NODES_BUSY");
        assertThat(tell(cluster, "head1", other.replace("OTHER", "NODES_BUSY").replace("\"0\"", "\"x\""))
                        .text("errors.0.field"))
                .isEqualTo("reservations[0].taken");
        assertThat(tell(cluster, "head1", "{\"id\":\"%s\",\"part\":-1,\"state\":\"PENDING\"}".formatted(id))
                        .text("errors.0.field"))
                .isEqualTo("reservations[0].part");
        assertThat(admin.patch("/api/v1/clusters/" + cluster, "{\"binding\":\"LATE\"}")
                        .text("errors.0.field"))
                .isEqualTo("policy.enforcement");
        // a report on an unknown reservation is accepted and ignored
        assertThat(tell(cluster, "head1", inPlace(booked).replace(id, "01987e4c-2f6b-7a51-9c3e-5d0f8a7b6c21"))
                        .status())
                .isEqualTo(200);
    }
}
