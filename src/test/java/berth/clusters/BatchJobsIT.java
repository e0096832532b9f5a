package berth.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.reservation.ClusterId;
import berth.service.Api;
import berth.service.Api.Reply;
import berth.service.Scrape;
import berth.service.ServiceSuite;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class BatchJobsIT extends ServiceSuite {

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @BeforeEach
    void create() {
        cluster = newCluster(8);
    }

    private String jobs() {
        return "/api/v1/clusters/%s/jobs".formatted(cluster);
    }

    private Reply submit(Api api, int pes, String estimate) {
        var submitted = api.post(jobs(), "{\"pes\":%d,\"estimate\":\"%s\"}".formatted(pes, estimate));
        assertThat(submitted.status()).as("%s", submitted).isEqualTo(201);
        return submitted;
    }

    private Reply read(Reply job) {
        return admin.get(jobs() + "/" + job.text("id"));
    }

    private Reply act(Api api, Reply job, String action) {
        return api.post(jobs() + "/" + job.text("id") + "/" + action);
    }

    private Reply replace(String queue) {
        return admin.send(
                admin.request(jobs()).header("Content-Type", "application/json").PUT(BodyPublishers.ofString(queue)));
    }

    private String in(Duration time) {
        return clock.instant().plus(time).toString();
    }

    private static void assertProblem(Reply reply, int status, String code, String field) {
        assertThat(reply.text("code")).as("%s", reply).isEqualTo(code);
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.text("errors.0.field")).as("%s", reply).isEqualTo(field);
    }

    @Test
    void aJobStartsAtOnceIfItsPesAreFreeAndIsReadBack() {
        var submitted = admin.post(jobs(), "{\"name\":\"first\",\"pes\":5,\"estimate\":\"PT1H\"}");

        assertThat(submitted.status()).isEqualTo(201);
        assertThat(submitted.body().propertyNames())
                .containsExactly(
                        "id",
                        "cluster",
                        "name",
                        "owner",
                        "pes",
                        "estimate",
                        "state",
                        "submittedAt",
                        "plannedStart",
                        "startedAt",
                        "endedAt",
                        "peIds");
        assertThat(submitted.text("state")).isEqualTo("RUNNING");
        assertThat(submitted.text("name")).isEqualTo("first");
        assertThat(submitted.text("owner")).isEqualTo("admin");
        assertThat(submitted.text("estimate")).isEqualTo("PT1H");
        assertThat(submitted.text("peIds")).isEqualTo("0-4");
        assertThat(submitted.text("startedAt")).isEqualTo(in(Duration.ZERO));
        assertThat(submitted.body().get("plannedStart").isNull()).isTrue();
        assertThat(read(submitted).body()).isEqualTo(submitted.body());
    }

    @Test
    void jobsWaitInOrderAndAreBackfilledIfTheyDelayNoOther() {
        var running = submit(admin, 6, "PT2H");
        var first = submit(admin, 8, "PT1H");
        var second = submit(admin, 2, "PT3H");
        var small = submit(admin, 2, "PT2H");

        assertThat(running.text("state")).isEqualTo("RUNNING");
        assertThat(first.text("state")).isEqualTo("QUEUED");
        assertThat(first.text("plannedStart")).isEqualTo(in(Duration.ofHours(2)));
        assertThat(second.text("state")).isEqualTo("QUEUED");
        assertThat(second.text("plannedStart")).isEqualTo(in(Duration.ofHours(3)));
        assertThat(small.text("state")).isEqualTo("RUNNING");

        act(admin, running, "complete");
        assertThat(read(first).text("state")).isEqualTo("QUEUED");
        var ended = act(admin, small, "complete");
        assertThat(ended.text("state")).isEqualTo("COMPLETED");
        assertThat(ended.text("endedAt")).isEqualTo(in(Duration.ZERO));
        assertThat(read(first).text("state")).isEqualTo("RUNNING");
        assertThat(read(second).text("plannedStart")).isEqualTo(in(Duration.ofHours(1)));

        assertThat(act(admin, first, "cancel").text("state")).isEqualTo("CANCELLED");
        assertThat(read(second).text("state")).isEqualTo("RUNNING");
        assertThat(act(admin, first, "cancel").text("code")).isEqualTo("wrong-state");
    }

    @Test
    void aJobEndsWhenItsEstimateIsOverAndTheNextOneStarts() {
        var running = submit(admin, 8, "PT1H");
        var next = submit(admin, 8, "PT1H");

        clock.advance(Duration.ofHours(1));
        desks.catchUp();

        assertThat(read(running).text("state")).isEqualTo("COMPLETED");
        assertThat(read(next).text("state")).isEqualTo("RUNNING");
        assertThat(read(next).text("startedAt")).isEqualTo(in(Duration.ZERO));
    }

    @Test
    void theQueueDoesNotDelayAReservation() {
        submit(admin, 8, "PT1H");
        var first = submit(admin, 8, "PT1H");
        var booked = reserve(admin, cluster, """
            {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}\
            """.formatted(in(Duration.ofHours(3)), in(Duration.ofHours(4))));
        var second = submit(admin, 4, "PT2H");

        assertThat(read(first).text("plannedStart")).isEqualTo(in(Duration.ofHours(1)));
        assertThat(second.text("plannedStart")).isEqualTo(in(Duration.ofHours(4)));
        // the first job of the queue keeps its place
        var refused = admin.post(
                "/api/v1/reservations", """
                    {"cluster":"%s","terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}}\
                    """.formatted(cluster, in(Duration.ofHours(1)), in(Duration.ofHours(2))));
        assertThat(refused.text("code")).isEqualTo("no-slot");

        clock.advance(Duration.ofHours(3));
        desks.catchUp();
        assertThat(admin.get("/api/v1/reservations/" + booked.text("id")).text("state"))
                .isEqualTo("RUNNING");
        assertThat(read(second).text("state")).isEqualTo("QUEUED");
    }

    @Test
    void theSameKeySubmitsOneJob() {
        var body = "{\"pes\":1,\"estimate\":\"PT1H\"}";
        var once = admin.post(jobs(), body, "Idempotency-Key", "job-" + cluster);
        var again = admin.post(jobs(), body, "Idempotency-Key", "job-" + cluster);
        var other = admin.post(jobs(), "{\"pes\":2,\"estimate\":\"PT1H\"}", "Idempotency-Key", "job-" + cluster);

        assertThat(again.body()).isEqualTo(once.body());
        assertThat(other.text("code")).isEqualTo("key-reused");
        assertThat(admin.get(jobs()).body().get("items")).hasSize(1);
    }

    @Test
    void jobsAreListedFromTheLastSubmittedOnInPages() {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            ids.addFirst(submit(admin, 8, "PT1H").text("id"));
        }

        var page = admin.get(jobs() + "?limit=3");
        var rest = admin.get(jobs() + "?limit=3&after=" + page.text("next"));
        assertThat(ids(page)).isEqualTo(ids.subList(0, 3));
        assertThat(ids(rest)).isEqualTo(ids.subList(3, 5));
        assertThat(rest.body().get("next").isNull()).isTrue();
        assertThat(ids(admin.get(jobs() + "?state=RUNNING"))).containsExactly(ids.getLast());
        assertThat(ids(admin.get(jobs() + "?owner=nobody"))).isEmpty();
        assertProblem(admin.get(jobs() + "?after=1"), 400, "malformed", "after");
        assertProblem(admin.get(jobs() + "?state=HELD"), 400, "malformed", "state");
    }

    private static List<String> ids(Reply page) {
        assertThat(page.status()).as("%s", page).isEqualTo(200);
        return page.body()
                .get("items")
                .valueStream()
                .map(item -> item.get("id").asString())
                .toList();
    }

    @Test
    void onlyTheOwnerAndAdministratorsUseAJob() {
        var alice = new Api(port, Optional.of(tokenOf(newName(), "CLIENT")));
        var bob = new Api(port, Optional.of(tokenOf(newName(), "CLIENT")));
        var job = submit(alice, 1, "PT1H");

        assertThat(ids(alice.get(jobs()))).containsExactly(job.text("id"));
        assertThat(ids(bob.get(jobs()))).isEmpty();
        assertThat(ids(bob.get(jobs() + "?owner=" + job.text("owner")))).isEmpty();
        assertThat(bob.get(jobs() + "/" + job.text("id")).status()).isEqualTo(404);
        assertThat(act(bob, job, "cancel").status()).isEqualTo(404);
        assertThat(act(bob, job, "complete").status()).isEqualTo(404);
        assertThat(alice.get(jobs() + "/" + job.text("id")).status()).isEqualTo(200);
        assertThat(act(alice, job, "complete").text("state")).isEqualTo("COMPLETED");
    }

    @Test
    void wrongJobsAreRefused() {
        for (var wrong : new String[][] {
            {"{\"estimate\":\"PT1H\"}", "400", "malformed", "pes"},
            {"{\"pes\":1}", "400", "malformed", "estimate"},
            {"{\"pes\":0,\"estimate\":\"PT1H\"}", "422", "invalid-terms", "pes"},
            {"{\"pes\":1,\"estimate\":\"PT0S\"}", "422", "invalid-terms", "estimate"},
            {"{\"pes\":1,\"estimate\":\"soon\"}", "400", "malformed", "estimate"},
            {"{\"pes\":9,\"estimate\":\"PT1H\"}", "422", "never-fits", "pes"},
            {"{\"pes\":1,\"estimate\":\"PT1H\",\"name\":\"\"}", "400", "malformed", "name"},
            {"{\"pes\":1,\"estimate\":\"PT1H\",\"queue\":\"fast\"}", "400", "malformed", "queue"},
        }) {
            assertProblem(admin.post(jobs(), wrong[0]), Integer.parseInt(wrong[1]), wrong[2], wrong[3]);
        }
        assertThat(admin.post("/api/v1/clusters/nowhere/jobs", "{\"pes\":1,\"estimate\":\"PT1H\"}")
                        .status())
                .isEqualTo(404);
        assertProblem(admin.get(jobs() + "/7"), 400, "malformed", "job");
        assertThat(ids(admin.get(jobs()))).isEmpty();
    }

    @Test
    void berthTakesOverAnOutsideQueueUnchanged() {
        cluster = newOutsideCluster(8);
        var queue = """
            {"jobs":[{"name":"a","pes":8,"estimate":"PT2H","submittedAt":"%1$s","startedAt":"%2$s"},
             {"name":"b","owner":"carol","pes":8,"estimate":"PT1H","submittedAt":"%1$s"}]}\
            """.formatted(in(Duration.ofHours(-3)), in(Duration.ofHours(-1)));
        var told = replace(queue);

        assertThat(told.status()).as("%s", told).isEqualTo(200);
        assertThat(told.text("jobs.0.state")).isEqualTo("RUNNING");
        assertThat(told.text("jobs.0.owner")).isEqualTo("admin");
        assertThat(told.text("jobs.0.startedAt")).isEqualTo(in(Duration.ofHours(-1)));
        assertThat(told.text("jobs.1.state")).isEqualTo("QUEUED");
        assertThat(told.text("jobs.1.owner")).isEqualTo("carol");
        assertThat(told.text("jobs.1.plannedStart")).isEqualTo(in(Duration.ofHours(1)));
        assertThat(told.body().get("conflicts")).isEmpty();
        assertThat(replace(queue).body()).isEqualTo(told.body());
        assertThat(typesOfEvents()).containsExactly("jobs-replaced");

        assertThat(admin.post(jobs(), "{\"pes\":1,\"estimate\":\"PT1H\"}").text("code"))
                .isEqualTo("wrong-state");
        assertThat(admin.post(jobs() + "/" + told.text("jobs.1.id") + "/cancel").text("code"))
                .isEqualTo("wrong-state");

        var later = replace("""
            {"jobs":[{"name":"b","pes":8,"estimate":"PT1H","submittedAt":"%s","startedAt":"%s"}]}\
            """.formatted(in(Duration.ofHours(-3)), in(Duration.ZERO)));
        assertThat(later.text("jobs.0.id")).isEqualTo(told.text("jobs.1.id"));
        assertThat(later.text("jobs.0.state")).isEqualTo("RUNNING");
        assertThat(admin.get(jobs()).body().get("items")).hasSize(1);

        assertThat(replace("{\"jobs\":[]}").body().get("jobs")).isEmpty();
        // an empty queue still belongs to the batch system
        assertThat(admin.post(jobs(), "{\"pes\":1,\"estimate\":\"PT1H\"}").text("code"))
                .isEqualTo("wrong-state");
        assertThat(replace(queue).status()).isEqualTo(200);
    }

    private List<String> typesOfEvents() {
        var types = new ArrayList<String>();
        var page = admin.get("/api/v1/events?limit=500").body();
        while (!page.get("items").isEmpty()) {
            page.get("items")
                    .valueStream()
                    .filter(event -> event.get("cluster").asString().equals(cluster))
                    .map(event -> event.get("type").asString())
                    .forEach(types::add);
            page = admin.get(
                            "/api/v1/events?limit=500&after=" + page.get("next").asString())
                    .body();
        }
        return types;
    }

    @Test
    void theResponseNamesReservationsOnThePesOfRunningJobs() {
        cluster = newOutsideCluster(8);
        var from = in(Duration.ofHours(1));
        reserve(admin, cluster, """
            {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":6}\
            """.formatted(from, in(Duration.ofHours(2))));

        var told = replace("""
            {"jobs":[{"name":"a","pes":2,"estimate":"PT3H","submittedAt":"%1$s","startedAt":"%1$s"},
             {"name":"b","pes":4,"estimate":"PT3H","submittedAt":"%1$s","startedAt":"%1$s"},
             {"name":"c","pes":4,"estimate":"PT3H","submittedAt":"%1$s","startedAt":"%1$s"}]}\
            """.formatted(in(Duration.ZERO)));

        assertThat(told.status()).as("%s", told).isEqualTo(200);
        assertThat(told.body().get("conflicts").toString())
                .isEqualTo("[{\"name\":\"b\",\"until\":\"%s\"},{\"name\":\"c\",\"until\":\"%s\"}]"
                        .formatted(from, in(Duration.ZERO)));
        assertThat(told.body().get("jobs")).hasSize(2);
    }

    @Test
    void aReservationThatStartsNowGetsNoPesOfReportedJobs() {
        cluster = newName();
        admin.post("/api/v1/clusters", """
            {"id":"%s","pes":16,"binding":"EARLY","policy":{"jobs":"OUTSIDE"}}\
            """.formatted(cluster));
        var told = replace("""
            {"jobs":[{"name":"4711","peIds":"0-2,8-12","estimate":"PT3H","submittedAt":"%1$s","startedAt":"%1$s"}]}\
            """.formatted(in(Duration.ZERO)));

        assertThat(told.status()).as("%s", told).isEqualTo(200);
        assertThat(told.text("jobs.0.pes")).isEqualTo("8");
        assertThat(told.text("jobs.0.peIds")).isEqualTo("0-2,8-12");
        var reserved =
                reserve(admin, cluster, """
            {"deadline":"%s","duration":"PT1H","pes":6}\
            """.formatted(in(Duration.ofHours(1).plusMinutes(1))));
        assertThat(reserved.text("placement.peIds")).as("%s", reserved).isEqualTo("3-7,13");
    }

    @Test
    void wrongQueuesNameTheJobAndTheField() {
        cluster = newOutsideCluster(8);
        var fine = "\"name\":\"a\",\"pes\":1,\"estimate\":\"PT1H\",\"submittedAt\":\"%s\"".formatted(in(Duration.ZERO));
        for (var wrong : new String[][] {
            {"{}", "400", "malformed", "jobs"},
            {"{\"jobs\":[null]}", "400", "malformed", "jobs[0]"},
            {"{\"jobs\":[{%s},{\"name\":\"b\"}]}".formatted(fine), "400", "malformed", "jobs[1].pes"},
            {"{\"jobs\":[{%s,\"peIds\":\"x\"}]}".formatted(fine), "400", "malformed", "jobs[0].peIds"},
        }) {
            assertProblem(replace(wrong[0]), Integer.parseInt(wrong[1]), wrong[2], wrong[3]);
        }
        assertThat(typesOfEvents()).isEmpty();
    }

    @Test
    void impossibleJobsAreNamedAndTheOthersAreAccepted() {
        cluster = newOutsideCluster(8);
        var told = replace("""
            {"jobs":[{"name":"a","pes":9,"estimate":"PT1H","submittedAt":"%1$s"},
             {"name":"b","pes":1,"estimate":"PT1H","submittedAt":"%1$s"},
             {"name":"c","owner":"_apt","pes":1,"estimate":"PT1H","submittedAt":"%1$s","startedAt":"%1$s"},
             {"name":"b","pes":1,"estimate":"PT1H","submittedAt":"%1$s","startedAt":"%1$s"}]}\
            """.formatted(in(Duration.ZERO)));

        assertThat(told.status()).as("%s", told).isEqualTo(200);
        assertThat(told.body().get("jobs")).hasSize(1);
        assertThat(told.text("jobs.0.name")).isEqualTo("b");
        assertThat(told.body().get("conflicts")).isEmpty();
        assertThat(told.body().get("leftOut").valueStream())
                .extracting(
                        left -> left.get("name").asString(),
                        left -> left.get("field").asString())
                .containsExactly(tuple("a", "jobs[0].pes"), tuple("c", "jobs[2].owner"), tuple("b", "jobs[3].name"));
        assertThat(told.text("leftOut.0.message")).isEqualTo("exceeds the 8 PEs of the cluster");
    }

    @Test
    void aQueueHasAtMostTenThousandJobs() {
        cluster = newOutsideCluster(8);
        var job =
                "{\"name\":\"%d\",\"owner\":\"somebody.with.a.long.name@example.org\",\"pes\":4,\"estimate\":\"PT1H\",\"submittedAt\":\"%s\"}";
        var many = IntStream.range(0, 10_001)
                .mapToObj(i -> job.formatted(i, in(Duration.ZERO)))
                .toList();

        assertProblem(replace(queue(many)), 422, "invalid-terms", "jobs");
        var told = replace(queue(many.subList(0, 10_000)));

        assertThat(told.status()).isEqualTo(200);
        assertThat(told.body().get("jobs")).hasSize(10_000);
        assertThat(told.text("jobs.9999.plannedStart")).isEqualTo(in(Duration.ofHours(4999)));
    }

    @Test
    void theReadingsShowTheJobs() {
        var start = clock.instant();
        var running = submit(admin, 8, "PT1H");
        var waiting = submit(admin, 4, "PT1H");
        var viewer = viewer();
        var path = "/api/v1/clusters/%s/".formatted(cluster);
        var range = "from=%s&to=%s".formatted(start, start.plus(Duration.ofHours(3)));

        var schedule = viewer.get(path + "schedule?" + range);
        assertThat(schedule.body().get("placements")).hasSize(2);
        assertThat(schedule.text("placements.0.id")).isEqualTo(running.text("id"));
        assertThat(schedule.text("placements.0.kind")).isEqualTo("JOB");
        assertThat(schedule.text("placements.0.state")).isEqualTo("RUNNING");
        assertThat(schedule.text("placements.1.id")).isEqualTo(waiting.text("id"));
        assertThat(schedule.text("placements.1.state")).isEqualTo("QUEUED");
        assertThat(schedule.text("placements.1.start")).isEqualTo(in(Duration.ofHours(1)));

        clock.advance(Duration.ofMinutes(30));
        act(admin, running, "complete");
        var utilisation = viewer.get(path + "utilisation?step=PT30M&" + range);
        assertThat(utilisation
                        .body()
                        .get("points")
                        .valueStream()
                        .map(point -> point.get("utilisation").asDouble()))
                .containsExactly(1.0, 0.5, 0.5, 0.0, 0.0, 0.0);

        var figures = viewer.get(path + "statistics").body();
        assertThat(figures.get("jobs").toString())
                .isEqualTo(
                        "{\"submitted\":2,\"started\":2,\"completed\":1,\"cancelled\":0,\"meanWait\":\"PT15M\",\"waiting\":0}");
        assertThat(figures.get("starts").toString())
                .isEqualTo("{\"immediateShare\":null,\"futureShare\":null,\"meanOffset\":null}");
        reserve(admin, cluster, "{\"duration\":\"PT1H\",\"pes\":1}");
        assertThat(viewer.get(path + "statistics")
                        .body()
                        .at("/starts/immediateShare")
                        .asDouble())
                .isEqualTo(1.0);
    }

    @Test
    void theOwnerOfAJobLearnsThatAReservationDelaysIt() {
        var owner = new Api(port, Optional.of(tokenOf(newName(), "CLIENT")));
        var other = new Api(port, Optional.of(tokenOf(newName(), "CLIENT")));
        submit(admin, 8, "PT1H");
        submit(admin, 8, "PT1H");
        var delayed = submit(owner, 8, "PT1H").text("id");
        var planned = owner.get("/api/v1/clusters/%s/jobs/%s".formatted(cluster, delayed));

        var reserved = other.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"readyTime":"%s","duration":"PT1H","pes":8}}""".formatted(cluster, in(Duration.ofHours(2))));

        assertThat(reserved.status()).as("%s", reserved).isEqualTo(201);
        var events = owner.get("/api/v1/events?limit=500").body().path("items");
        assertThat(events).as("%s", events).hasSize(1);
        var event = events.get(0);
        assertThat(event.path("type").asString()).isEqualTo("job-delayed");
        assertThat(event.at("/data/job").asString()).isEqualTo(delayed);
        assertThat(event.at("/data/delay/from").asString()).isEqualTo(planned.text("plannedStart"));
        assertThat(event.at("/data/delay/to").asString())
                .isEqualTo(owner.get("/api/v1/clusters/%s/jobs/%s".formatted(cluster, delayed))
                        .text("plannedStart"));
        assertThat(event.at("/data/delay/why").asString()).isEqualTo("RESERVED");
        assertThat(other.get("/api/v1/events?limit=500")
                        .body()
                        .path("items")
                        .valueStream()
                        .map(one -> one.path("type").asString()))
                .doesNotContain("job-delayed");
    }

    @Test
    void reservationsOnANewClusterDoNotDelayWaitingJobs() {
        cluster = newName();
        admin.post("/api/v1/clusters", "{\"id\":\"%s\",\"pes\":8}".formatted(cluster));
        for (int job = 0; job < 3; job++) {
            submit(admin, 8, "PT1H");
        }
        var body = """
                {"cluster":"%s","terms":{"readyTime":"%s","duration":"PT1H","pes":8%s}}""";

        var flexible = admin.post(
                "/api/v1/reservations", body.formatted(cluster, in(Duration.ofHours(2)), ",\"slack\":\"PT10H\""));
        admin.post("/api/v1/reservations/" + flexible.text("id") + "/cancel");
        var strict = admin.post("/api/v1/reservations", body.formatted(cluster, in(Duration.ofHours(2)), ""));
        admin.post("/api/v1/reservations/" + strict.text("id") + "/cancel");
        var tooMuch = admin.post("/api/v1/reservations", """
                {"cluster":"%s","start":"%s","terms":{"duration":"PT10H","pes":8}}""".formatted(cluster, in(Duration.ofHours(2))));

        // the jobs end after three hours
        assertThat(flexible.status()).as("%s", flexible).isEqualTo(201);
        assertThat(Instant.parse(flexible.text("placement.start")))
                .isAfterOrEqualTo(clock.instant().plus(Duration.ofMinutes(170)));
        assertThat(Instant.parse(strict.text("placement.start")))
                .isAfterOrEqualTo(clock.instant().plus(Duration.ofMinutes(170)));
        assertThat(tooMuch.status()).isEqualTo(409);
        assertThat(tooMuch.text("detail")).contains("at least 0.95");
    }

    @Test
    void aProbeShowsAdministratorsTheImpactOfSlotsOnJobs() {
        submit(admin, 8, "PT1H");
        submit(admin, 8, "PT1H");
        submit(admin, 8, "PT1H");
        var client = new Api(port, Optional.of(tokenOf(newName(), "CLIENT")));
        var question = """
            {"clusters":["%s"],"terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}}\
            """.formatted(cluster, in(Duration.ofHours(2)), in(Duration.ofHours(6)));
        var before = desks.schedule(new ClusterId(cluster)).orElseThrow();

        var told = admin.post("/api/v1/probes", question);
        var toClient = client.post("/api/v1/probes", question);

        assertThat(told.status()).as("%s", told).isEqualTo(200);
        var delaying = slotAt(told, Duration.ofHours(2));
        var harmless = slotAt(told, Duration.ofHours(3));
        assertThat(delaying.get("availability").asDouble()).isLessThan(1);
        assertThat(delaying.at("/impact/makespanBefore").asString()).isEqualTo("PT3H");
        assertThat(delaying.at("/impact/makespanAfter").asString()).isEqualTo("PT4H");
        assertThat(delaying.at("/effects/jobsDelayed").asInt()).isEqualTo(1);
        assertThat(harmless.at("/effects/jobsDelayed").asInt(-1)).isZero();
        assertThat(harmless.get("availability").asDouble()).isEqualTo(1.0);
        assertThat(harmless.at("/impact/makespanAfter").asString()).isEqualTo("PT3H");
        assertThat(slotAt(toClient, Duration.ofHours(2)).get("availability")).isEqualTo(delaying.get("availability"));
        assertThat(slotAt(toClient, Duration.ofHours(2)).get("impact").isNull()).isTrue();
        assertThat(desks.schedule(new ClusterId(cluster)).orElseThrow()).isSameAs(before);
    }

    private JsonNode slotAt(Reply probe, Duration time) {
        return probe.body()
                .get("slots")
                .valueStream()
                .filter(slot -> slot.get("start").asString().equals(in(time)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aReservationThatWouldDelayTheJobsTooMuchIsRefused() {
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"minAvailability\":1}}");
        submit(admin, 8, "PT1H");
        submit(admin, 8, "PT1H");
        submit(admin, 8, "PT1H");
        var terms = "\"readyTime\":\"%s\",\"deadline\":\"%s\",\"duration\":\"PT1H\",\"pes\":8"
                .formatted(in(Duration.ofHours(2)), in(Duration.ofHours(4)));

        var reserve = "{\"cluster\":\"%s\",\"terms\":{%s}%s}";

        var refused = admin.post(
                "/api/v1/reservations",
                reserve.formatted(cluster, terms, ",\"start\":\"%s\"".formatted(in(Duration.ofHours(2)))));
        var granted = admin.post("/api/v1/reservations", reserve.formatted(cluster, terms, ""));

        assertThat(refused.text("code")).isEqualTo("no-slot");
        assertThat(refused.text("detail")).contains("batch jobs");
        assertThat(granted.status()).as("%s", granted).isEqualTo(201);
        assertThat(granted.text("placement.start")).isEqualTo(in(Duration.ofHours(3)));
    }

    @Test
    void aRefusalNamesPlacesBehindTheJobThatIsInTheWay() {
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"alternativesMaxPhi\":10}}");
        submit(admin, 8, "PT4H");

        var refused = admin.post("/api/v1/reservations", request("", 1, 2));

        assertThat(refused.status()).as("%s", refused).isEqualTo(409);
        assertThat(refused.body().get("alternatives")).hasSize(1);
        assertThat(refused.text("alternatives.0.start")).isEqualTo(in(Duration.ofHours(4)));
        assertThat(refused.text("alternatives.0.phi")).isEqualTo("3.0");
        assertThat(refused.text("alternatives.0.availability")).isEqualTo("1.0");
        assertThat(refused.text("wouldFit.deadline")).isEqualTo(in(Duration.ofHours(5)));
    }

    @Test
    void anAlternativeHasTheAvailabilityOfItsProbe() {
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"alternativesMaxPhi\":10}}");
        for (int job = 0; job < 4; job++) {
            submit(admin, 8, "PT2H");
        }
        var client = new Api(port, Optional.of(tokenOf(newName(), "CLIENT")));

        var refused = admin.post("/api/v1/reservations", request("", 3, 4));
        var toClient = client.post("/api/v1/reservations", request("", 3, 4));

        var alternatives = refused.body().get("alternatives");
        assertThat(alternatives.valueStream().map(one -> one.get("start").asString()))
                .containsExactly(in(Duration.ofHours(4)), in(Duration.ofHours(8)));
        for (var alternative : alternatives) {
            var probed = admin.post("/api/v1/probes", """
                {"clusters":["%s"],"terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}}\
                """.formatted(
                            cluster,
                            alternative.get("start").asString(),
                            alternative.get("end").asString()));
            var slot = probed.body().get("slots").get(0);
            assertThat(alternative.get("availability")).isEqualTo(slot.get("availability"));
            assertThat(alternative.get("impact")).isEqualTo(slot.get("impact"));
        }
        assertThat(alternatives.get(0).get("availability").asDouble()).isLessThan(1);
        assertThat(alternatives.get(1).at("/impact/makespanAfter").asString()).isEqualTo("PT8H");
        assertThat(toClient.body().get("alternatives").get(0).get("availability"))
                .isEqualTo(alternatives.get(0).get("availability"));
        assertThat(toClient.body().get("alternatives").get(0).get("impact").isNull())
                .isTrue();
    }

    @Test
    void aRequestThatWouldDelayTheJobsTooMuchGetsAlternatives() {
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"alternativesMaxPhi\":10,\"minAvailability\":0.95}}");
        for (int job = 0; job < 3; job++) {
            submit(admin, 8, "PT1H");
        }

        var refused = admin.post("/api/v1/reservations", request("", 2, 3));
        var granted = admin.post("/api/v1/reservations", request(",\"acceptAlternatives\":{}", 2, 3));

        assertThat(refused.text("code")).isEqualTo("no-slot");
        assertThat(refused.text("detail")).contains("batch jobs");
        assertThat(refused.text("alternatives.0.start")).isEqualTo(in(Duration.ofHours(3)));
        assertThat(refused.text("wouldFit.deadline")).isEqualTo(in(Duration.ofHours(4)));
        assertThat(granted.status()).as("%s", granted).isEqualTo(201);
        assertThat(granted.text("placement.start")).isEqualTo(in(Duration.ofHours(3)));
    }

    /** Returns a request for all PEs for an hour, between the given hours from now. */
    private String request(String more, int from, int to) {
        return """
            {"cluster":"%s","terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}%s}\
            """.formatted(cluster, in(Duration.ofHours(from)), in(Duration.ofHours(to)), more);
    }

    private static String queue(List<String> jobs) {
        return jobs.stream().collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
    }

    /** The plan is calculated outside of the desk, once for all readers, and only if a reader sees a waiting job. */
    @Test
    void berthPlansAQueueOnce() throws Exception {
        submit(admin, 8, "PT1H");
        submit(admin, 8, "PT1H");
        double before = computations();

        assertThat(admin.get(jobs()).text("items.0.plannedStart")).isEqualTo(in(Duration.ofHours(1)));
        admin.get(jobs());
        client().get(jobs());
        assertThat(computations()).as("known since it was submitted").isEqualTo(before);

        clock.advance(Duration.ofSeconds(5));
        client().get(jobs());
        assertThat(computations()).isEqualTo(before);
        admin.get(jobs());
        admin.get(jobs());
        viewer().get("/api/v1/clusters/%s/schedule".formatted(cluster));
        assertThat(computations()).isEqualTo(before + 1);
    }

    private double computations() throws Exception {
        return Scrape.of(admin).value("berth_computations_seconds_count", Map.of());
    }
}
