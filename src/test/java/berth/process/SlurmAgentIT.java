package berth.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import berth.availability.PeSet;
import berth.process.ThrowawaySlurm.Reserved;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A real Slurm follows a real Berth. Skipped if Slurm is not installed; {@code -Pslurm} requires it and makes a thousand random changes.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("full")
class SlurmAgentIT {

    private static final int NODES = 16;
    private static final int CHANGES = Integer.getInteger("berth.slurm.changes", 120);
    /** The most calls after which an agent is killed: those of one pass, and some that change something. */
    private static final int CALLS = Integer.getInteger("berth.slurm.calls", 12);

    private static final Duration SOON = Duration.ofSeconds(60);

    /** Accounts of Berth that are also users of every Debian. */
    private static final List<String> USERS = List.of("daemon", "games");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path directory;

    @SuppressWarnings("NullAway.Init")
    private ThrowawaySlurm slurm;

    @SuppressWarnings("NullAway.Init")
    private Installation berth;

    @SuppressWarnings("NullAway.Init")
    private Api admin;

    private final Map<String, Api> users = new TreeMap<>();

    @SuppressWarnings("NullAway.Init")
    private JavaProcess agent;

    /** The margin of the agents that are started; without one, Slurm has exactly the times that Berth has promised. */
    private String margin = "PT0S";

    private int clusters;

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @BeforeAll
    void start() throws Exception {
        // jobs run as their users
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        slurm = ThrowawaySlurm.start(directory.resolve("slurm"), NODES);
        berth = Installation.in(directory);
        berth.start();
        admin = berth.api();
        for (var user : USERS) {
            var created = admin.post("/accounts", "{\"name\":\"%s\",\"role\":\"CLIENT\"}".formatted(user));
            users.put(user, new Api(berth.url(), created.body().path("token").asString()));
        }
    }

    @AfterAll
    void stop() throws Exception {
        try (var _ = slurm;
                var _ = berth) {
            // both, even if one fails
        }
    }

    @BeforeEach
    void follow() throws Exception {
        follow("\"pes\":%d".formatted(NODES));
    }

    /** Adds another cluster of the same nodes with its own agent. */
    private void follow(String size) throws Exception {
        cluster = "tux" + ++clusters;
        admin.post("/clusters", """
                {"id":"%s",%s,"binding":"EARLY","policy":{"jobs":"OUTSIDE","juggling":"ON_CONFLICT","notice":"PT0S","enforcement":"REPORTED"}}""".formatted(cluster, size));
        var created = admin.post("/accounts", """
                {"name":"agent-%s","role":"AGENT","cluster":"%s"}""".formatted(cluster, cluster));
        Files.writeString(
                directory.resolve("token-" + cluster),
                created.body().path("token").asString());
        startAgent();
    }

    private void startAgent() throws IOException {
        agent = launchAgent(directory.resolve("agent-" + cluster + ".log"));
    }

    private JavaProcess launchAgent(Path log) throws IOException {
        return launchAgent(log, Map.of(), "lock-" + cluster);
    }

    private JavaProcess launchAgent(Path log, Map<String, String> environment, String lock, String... more)
            throws IOException {
        var variables = new TreeMap<>(environment);
        variables.put("SLURM_CONF", slurm.configuration().toString());
        var arguments = new ArrayList<>(List.of(
                "slurm-agent",
                "--url",
                berth.url(),
                "--token-file",
                directory.resolve("token-" + cluster).toString(),
                "--cluster",
                cluster,
                "--nodes",
                "n[1-%d]".formatted(NODES),
                "--margin",
                margin,
                "--lock",
                directory.resolve(lock).toString()));
        if (admin.get("/clusters/" + cluster).body().path("peNames").isString()) {
            arguments.removeAll(List.of("--nodes", "n[1-%d]".formatted(NODES)));
        }
        arguments.addAll(List.of(more));
        return JavaProcess.start(Program.quick(), log, variables, arguments);
    }

    @AfterEach
    void leave() throws Exception {
        if (agent != null) {
            agent.killHard();
            giveBack();
            for (var user : USERS) {
                slurm.run("scancel", "--user=" + user);
            }
            Waiting.until(
                    SOON,
                    () -> "There are still jobs.",
                    () -> slurm.done("squeue", "-h").isEmpty());
            for (var name : slurm.reservations().keySet()) {
                slurm.run("scancel", "--reservation=" + name);
                Waiting.until(
                        SOON,
                        () -> "There is still " + name,
                        () -> slurm.run("scontrol", "delete", "ReservationName=" + name)
                                                .code()
                                        == 0
                                || !slurm.reservations().containsKey(name));
            }
            // no error if they are healthy
            slurm.run("scontrol", "update", "nodename=n[1-%d]".formatted(NODES), "state=resume");
        }
    }

    /** Gives the lease of a killed agent back, so that another cluster may have its nodes. */
    private void giveBack() throws IOException {
        var path = "/clusters/%s/enforcement".formatted(cluster);
        var last = admin.get(path).body().path("agent").asString("nobody");
        admin.put(path, "{\"agent\":\"%s\",\"lease\":\"PT0S\",\"reservations\":[]}".formatted(last));
    }

    // ---- both sides

    private Api as(String user) {
        return Objects.requireNonNull(users.get(user));
    }

    private JsonNode reserve(String user, String terms) throws Exception {
        var answer = as(user).post("/reservations", "{\"cluster\":\"%s\",\"terms\":%s}".formatted(cluster, terms));
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
        return answer.body();
    }

    private static String in(Duration time) {
        return Instant.now().plus(time).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private String name(JsonNode reservation) {
        return "berth.%s.%s.0".formatted(cluster, reservation.path("id").asString());
    }

    private String nameOfMaintenance(String outage) {
        return "berth.%s.%s.maintenance".formatted(cluster, outage);
    }

    private static TreeSet<String> nodes(JsonNode placement) {
        var peIds = PeSet.parse(placement.path("peIds").asString());
        var nodes = new TreeSet<String>();
        for (int pe = 0; pe < NODES; pe++) {
            if (peIds.contains(pe)) {
                nodes.add("n" + (pe + 1));
            }
        }
        return nodes;
    }

    /** Returns what Slurm should have, according to Berth, if no running reservation has nodes of a coming outage. */
    private SortedMap<String, Reserved> promised() throws Exception {
        var promised = new TreeMap<String, Reserved>();
        long now = Instant.now().getEpochSecond();
        for (var each :
                admin.get("/clusters/%s/schedule".formatted(cluster)).body().path("placements")) {
            var state = each.path("state").asString("");
            var nodes = nodes(each);
            if (each.path("kind").asString().equals("OUTAGE")
                    && !each.path("source").asString("").equals("slurm")) {
                var start = Instant.parse(each.path("start").asString());
                var end = each.path("end").isString()
                        ? Instant.parse(each.path("end").asString())
                        : start.plus(Duration.ofDays(730));
                promised.put(
                        nameOfMaintenance(each.path("id").asString()),
                        new Reserved(Math.max(now, start.getEpochSecond()), end.getEpochSecond(), nodes, "root"));
            }
            if (!each.path("kind").asString().equals("RESERVATION")
                    || !state.equals("CONFIRMED") && !state.equals("RUNNING")) {
                continue;
            }
            promised.put(
                    "berth.%s.%s.%d"
                            .formatted(
                                    cluster,
                                    each.path("id").asString(),
                                    each.path("part").asInt()),
                    new Reserved(
                            Math.max(
                                    now,
                                    Instant.parse(each.path("start").asString()).getEpochSecond()),
                            Instant.parse(each.path("end").asString()).getEpochSecond(),
                            nodes,
                            each.path("owner").asString()));
        }
        return promised;
    }

    private SortedMap<String, Reserved> inSlurm() throws Exception {
        var ours = new TreeMap<String, Reserved>();
        long now = Instant.now().getEpochSecond();
        slurm.reservations().forEach((name, each) -> {
            if (name.startsWith("berth." + cluster + ".")) {
                ours.put(name, new Reserved(Math.max(now, each.start()), each.end(), each.nodes(), each.users()));
            }
        });
        return ours;
    }

    private void awaitAllInPlace() throws Exception {
        Waiting.until(
                SOON,
                () -> {
                    try {
                        return "Promised: %s%nIn Slurm: %s%nThe agent says:%n%s"
                                .formatted(promised(), inSlurm(), agent.output());
                    } catch (Exception e) {
                        return e.toString();
                    }
                },
                () -> promised().equals(inSlurm()) && isKnown());
    }

    /**
     * Waits until the agent has reported the jobs that it sees from now on. Each pass reports to Berth when it begins, before it reports
     * jobs, and at most once more.
     */
    private void awaitPass() throws Exception {
        for (int reports = 0; reports < 3; reports++) {
            var before = heardAt();
            Waiting.until(SOON, agent::output, () -> !heardAt().equals(before));
        }
    }

    private String heardAt() throws IOException {
        return admin.get("/clusters/%s/enforcement".formatted(cluster))
                .body()
                .path("heardAt")
                .asString();
    }

    /** Whether Berth knows that everything is in place. */
    private boolean isKnown() throws IOException {
        var states =
                admin.get("/clusters/%s/enforcement".formatted(cluster)).body().path("states");
        return states.valueStream().mapToInt(JsonNode::asInt).sum()
                == states.path("MATERIALISED").asInt();
    }

    // ---- life of a reservation

    @Test
    void onlyTheOwnerUsesAReservationInSlurmFromStartToEnd() throws Exception {
        var booked = reserve(
                "daemon",
                "{\"duration\":\"PT10M\",\"pes\":4,\"readyTime\":\"%s\"}".formatted(in(Duration.ofSeconds(15))));
        awaitAllInPlace();
        var name = name(booked);

        assertThat(slurm.reservation(name).users()).isEqualTo("daemon");
        var seen = as("daemon")
                .get("/reservations/" + booked.path("id").asString())
                .body();
        assertThat(seen.at("/enforcement/handle").asString()).isEqualTo(name);
        assertThat(seen.at("/enforcement/nodes").asString()).isEqualTo("n[1-4]");
        var own = slurm.submit("daemon", "-N2", "-t1", "--reservation=" + name);
        assertThat(own.code()).as(own.text()).isZero();
        assertThat(slurm.submit("games", "-N1", "-t1", "--reservation=" + name).text())
                .contains("Access denied");
        var beside = slurm.submit("games", "-N" + (NODES - 4), "-t60");
        var whole = slurm.submit("games", "-N" + NODES, "-t60");
        Waiting.until(SOON, agent::output, () -> slurm.state(beside.text()).equals("RUNNING"));
        Waiting.until(SOON, agent::output, () -> slurm.state(own.text()).equals("RUNNING"));
        assertThat(slurm.state(whole.text())).isEqualTo("PENDING");
        Waiting.until(SOON, () -> jobs() + agent.output(), () -> jobs().contains("\"peIds\":\"4-15\""));

        // jobs that run in it end with it, and waiting ones return to the queue
        var waits = slurm.submit("daemon", "-N4", "-t1", "--reservation=" + name);
        assertThat(waits.code()).as(waits.text()).isZero();
        as("daemon")
                .post("/reservations/%s/complete".formatted(booked.path("id").asString()), "");
        Waiting.until(SOON, agent::output, () -> !slurm.reservations().containsKey(name));
        Waiting.until(SOON, agent::output, () -> !slurm.state(own.text()).equals("RUNNING"));
        assertThat(slurm.run("squeue", "-h", "-j", waits.text(), "-o", "%v").text())
                .isIn("", "(null)");
    }

    /** Users ask for cores and get whole nodes. */
    @Test
    void aNodeCountsAsTheGranuleOfTheCluster() throws Exception {
        agent.killHard();
        giveBack();
        follow("\"pes\":%d,\"granule\":4,\"peNames\":\"n[1-%d]\"".formatted(4 * NODES, NODES));
        slurm.done("scontrol", "update", "nodename=n16", "state=drain", "reason=fan");
        var beside = slurm.submit("games", "-N2", "-wn[4-5]", "-t60");
        Waiting.until(SOON, () -> jobs() + agent.output(), () -> jobs().contains("\"peIds\":\"12-19\""));
        Waiting.until(
                SOON,
                agent::output,
                () -> admin.get("/clusters/%s/outages".formatted(cluster))
                        .body()
                        .at("/items/0/nodes")
                        .asString("")
                        .equals("n16"));

        var refused = as("daemon").post("/reservations", """
                        {"cluster":"%s","terms":{"duration":"PT10M","pes":13}}""".formatted(cluster));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body().toString())
                .contains("must be a multiple of 4")
                .contains("ask for 16");
        var booked = reserve("daemon", "{\"duration\":\"PT10M\",\"pes\":16}");

        assertThat(booked.at("/placement/peIds").asString()).isEqualTo("0-11,20-23");
        assertThat(booked.at("/placement/nodes").asString()).isEqualTo("n[1-3,6]");
        Waiting.until(SOON, agent::output, () -> slurm.reservations().containsKey(name(booked)));
        assertThat(slurm.reservation(name(booked)).nodes()).containsExactlyInAnyOrder("n1", "n2", "n3", "n6");
        Waiting.until(SOON, agent::output, this::isKnown);
        assertThat(slurm.state(beside.text())).isEqualTo("RUNNING");
    }

    @Test
    void slurmFollowsMovesChangesAndCancellations() throws Exception {
        var first = reserve("daemon", """
                {"duration":"PT1H","pes":10,"readyTime":"%s","deadline":"%s"}""".formatted(in(Duration.ofHours(1)), in(Duration.ofHours(4))));
        var second = reserve("games", """
                {"duration":"PT1H","pes":6,"readyTime":"%s"}""".formatted(in(Duration.ofHours(1))));
        awaitAllInPlace();
        var waits = slurm.submit("daemon", "-N10", "-t1", "--reservation=" + name(first));

        // a request that fits only there: the first one moves, and the job that waits for it stays attached
        reserve("games", """
                {"duration":"PT1H","pes":10,"readyTime":"%s","deadline":"%s"}""".formatted(in(Duration.ofHours(1)), in(Duration.ofMinutes(121))));
        awaitAllInPlace();
        assertThat(slurm.run("squeue", "-h", "-j", waits.text(), "-o", "%v").text())
                .isEqualTo(name(first));
        assertThat(agent.output()).contains("Updated " + name(first));

        as("games").post("/reservations/%s/cancel".formatted(second.path("id").asString()), "");
        awaitAllInPlace();
        assertThat(slurm.reservations()).doesNotContainKey(name(second));
    }

    @Test
    void theNextOwnerGetsTheNodesAlthoughAJobOfThePreviousOneMayRunLonger() throws Exception {
        var first = reserve("daemon", "{\"duration\":\"PT30S\",\"pes\":%d}".formatted(NODES));
        awaitAllInPlace();
        var overlong = slurm.submit("daemon", "-N" + NODES, "-t9", "--reservation=" + name(first));
        Waiting.until(SOON, agent::output, () -> slurm.state(overlong.text()).equals("RUNNING"));
        var second =
                reserve("games", """
                {"duration":"PT5M","pes":%d,"readyTime":"%s"}""".formatted(NODES, first.at("/placement/end").asString()));
        Waiting.until(SOON, agent::output, () -> slurm.reservations().containsKey(name(second)));
        var next = slurm.submit("games", "-N" + NODES, "-t1", "--reservation=" + name(second));
        var ordinary = slurm.submit("daemon", "-N1", "-t1");

        Waiting.until(
                Duration.ofSeconds(60),
                agent::output,
                () -> slurm.state(next.text()).equals("RUNNING"));

        assertThat(slurm.state(ordinary.text())).isEqualTo("PENDING");
        assertThat(agent.output())
                .contains("Ended job %s of daemon, whose own reservation is over".formatted(overlong.text()));
    }

    @Test
    void aJobWhoseLimitIsTheBookedTimeStartsAlthoughTheNextOwnerFollows() throws Exception {
        agent.killHard();
        margin = "PT1M";
        try {
            startAgent();
        } finally {
            margin = "PT0S";
        }
        // this one begins a little earlier in Slurm, because no reservation has its nodes then
        var soon = reserve(
                "daemon",
                "{\"duration\":\"PT2M\",\"pes\":4,\"readyTime\":\"%s\"}".formatted(in(Duration.ofSeconds(20))));
        // this one begins at once, so the limit of its job is cut
        var now = reserve("games", "{\"duration\":\"PT2M\",\"pes\":4}");
        for (var each : List.of(soon, now)) {
            var next = reserve("games", """
                    {"duration":"PT2M","pes":4,"readyTime":"%s"}""".formatted(each.at("/placement/end").asString()));
            assertThat(next.at("/placement/peIds")).isEqualTo(each.at("/placement/peIds"));
        }
        Waiting.until(SOON, agent::output, this::areAllInPlace);

        var early = slurm.submit("daemon", "-N4", "-t2", "--reservation=" + name(soon));
        var cut = slurm.submit("games", "-N4", "-t2", "--reservation=" + name(now));

        Waiting.until(SOON, agent::output, () -> slurm.state(early.text()).equals("RUNNING"));
        Waiting.until(SOON, agent::output, () -> slurm.state(cut.text()).equals("RUNNING"));
        assertThat(slurm.run("squeue", "-h", "-j", early.text(), "-o", "%l").text())
                .isEqualTo("2:00");
        assertThat(slurm.run("squeue", "-h", "-j", cut.text(), "-o", "%l").text())
                .isEqualTo("1:00");
    }

    private boolean areAllInPlace() throws Exception {
        return isKnown() && inSlurm().keySet().equals(promised().keySet());
    }

    /** Neither can have its new nodes while the other has them. */
    @Test
    void theAgentParksAReservationWhileTwoSwapTheirNodes() throws Exception {
        var one = reserve(
                "daemon", "{\"duration\":\"PT1H\",\"pes\":8,\"readyTime\":\"%s\"}".formatted(in(Duration.ofHours(1))));
        var other = reserve(
                "games", "{\"duration\":\"PT1H\",\"pes\":8,\"readyTime\":\"%s\"}".formatted(in(Duration.ofHours(1))));
        awaitAllInPlace();
        agent.killHard();
        var waits = slurm.submit("daemon", "-N8", "-t1", "--reservation=" + name(one));
        assertThat(waits.code()).as(waits.text()).isZero();
        // by hand, as somebody might do it
        var ones = String.join(",", slurm.reservation(name(one)).nodes());
        var others = String.join(",", slurm.reservation(name(other)).nodes());
        var later = Long.toString(Instant.now().plus(Duration.ofDays(100)).getEpochSecond());
        var evenLater = Long.toString(Instant.now().plus(Duration.ofDays(101)).getEpochSecond());
        var there = slurm.reservation(name(one));
        slurm.done(
                "scontrol",
                "update",
                "ReservationName=" + name(one),
                "StartTime=uts" + later,
                "EndTime=uts" + evenLater);
        slurm.done("scontrol", "update", "ReservationName=" + name(other), "Nodes=" + ones);
        slurm.done(
                "scontrol",
                "update",
                "ReservationName=" + name(one),
                "Nodes=" + others,
                "StartTime=uts" + there.start(),
                "EndTime=uts" + there.end());

        startAgent();

        awaitAllInPlace();
        assertThat(slurm.run("squeue", "-h", "-j", waits.text(), "-o", "%v").text())
                .isEqualTo(name(one));
    }

    // ---- faults

    @Test
    void aNodeThatIsDrainedAndAForeignReservationAreOutages() throws Exception {
        slurm.done("scontrol", "update", "nodename=n16", "state=drain", "reason=fan");
        var from = Instant.now().plus(Duration.ofHours(1)).getEpochSecond();
        slurm.done(
                "scontrol",
                "create",
                "reservation",
                "ReservationName=maint",
                "StartTime=uts" + from,
                "EndTime=uts" + (from + 3600),
                "Nodes=n[1-8]",
                "Users=root",
                "Flags=MAINT");

        Waiting.until(SOON, agent::output, () -> outages().equals(List.of("0-7", "15")));
        var booked = reserve(
                "daemon", "{\"duration\":\"PT1H\",\"pes\":7,\"readyTime\":\"%s\"}".formatted(in(Duration.ofHours(1))));
        assertThat(booked.at("/placement/peIds").asString()).isEqualTo("8-14");
        awaitAllInPlace();
        assertThat(slurm.reservation("maint").nodes()).hasSize(8);

        slurm.done("scontrol", "delete", "ReservationName=maint");
        Waiting.until(SOON, agent::output, () -> outages().equals(List.of("15")));
    }

    @Test
    void aRunThatLosesANodeGoesOnWithTheOthers() throws Exception {
        var booked = reserve(
                "daemon",
                "{\"duration\":\"PT10M\",\"pes\":4,\"readyTime\":\"%s\"}".formatted(in(Duration.ofSeconds(10))));
        awaitAllInPlace();
        var name = name(booked);
        var onFirst = jobOn("n1", name);
        var onSecond = jobOn("n2", name);
        var onThird = jobOn("n3", name);
        for (var job : List.of(onFirst, onSecond, onThird)) {
            Waiting.until(SOON, agent::output, () -> slurm.state(job).equals("RUNNING"));
        }

        try {
            slurm.hang("n2");

            // a free node replaces it
            awaitNodes(name, "n1", "n3", "n4", "n5");
            awaitAllInPlace();
            assertThat(slurm.state(onFirst)).isEqualTo("RUNNING");
            assertThat(slurm.state(onThird)).isEqualTo("RUNNING");

            // no other node is free
            reserve("games", "{\"duration\":\"PT10M\",\"pes\":11}");
            slurm.hang("n3");
            awaitNodes(name, "n1", "n4", "n5");
            awaitAllInPlace();
            assertThat(slurm.state(onFirst)).isEqualTo("RUNNING");

            // nothing runs on n4, but on n1
            slurm.done("scontrol", "update", "nodename=n[1,4]", "state=drain", "reason=fan");
            awaitNodes(name, "n1", "n5");
            awaitAllInPlace();
            assertThat(slurm.state(onFirst)).isEqualTo("RUNNING");

            slurm.run("scancel", onFirst);
            awaitNodes(name, "n5");
            awaitAllInPlace();
            var run = admin.get("/reservations/" + booked.path("id").asString()).body();
            assertThat(run.path("state").asString()).isEqualTo("RUNNING");
            assertThat(run.path("flags").toString()).contains("degraded");
            assertThat(agent.output()).doesNotContain("Deleted " + name);
            assertThat(events(booked)).contains("replaced", "degraded").doesNotContain("failed", "moved");
        } finally {
            slurm.wake("n2");
            slurm.wake("n3");
        }
    }

    @Test
    void aMaintenanceUnderARunEndsNoJobOnOtherNodes() throws Exception {
        var booked = reserve(
                "daemon",
                "{\"duration\":\"PT10M\",\"pes\":4,\"readyTime\":\"%s\"}".formatted(in(Duration.ofSeconds(10))));
        reserve("games", "{\"duration\":\"PT20M\",\"pes\":%d}".formatted(NODES - 4));
        awaitAllInPlace();
        var name = name(booked);
        var jobs = new ArrayList<String>();
        for (var node : List.of("n1", "n2", "n3", "n4")) {
            var job = jobOn(node, name);
            Waiting.until(SOON, agent::output, () -> slurm.state(job).equals("RUNNING"));
            jobs.add(job);
        }

        // by hand in Slurm, and recorded in Berth
        slurm.done(
                "scontrol",
                "create",
                "reservation=fan",
                "starttime=now+20seconds",
                "duration=30",
                "users=root",
                "nodes=n2",
                "flags=maint,ignore_jobs");
        var recorded = admin.post(
                "/clusters/%s/outages".formatted(cluster),
                "{\"peIds\":\"2\",\"from\":\"%s\",\"to\":\"%s\"}"
                        .formatted(in(Duration.ofSeconds(20)), in(Duration.ofHours(1))));
        assertThat(recorded.status()).as("%s", recorded.body()).isEqualTo(201);
        Waiting.until(SOON, () -> seen("/outages"), () -> events(booked).contains("losing"));
        assertThat(slurm.reservation(name).nodes()).containsExactly("n1", "n2", "n3", "n4");

        awaitNodes(name, "n1", "n4");
        awaitAllInPlace();
        assertThat(events(booked)).contains("losing", "degraded").doesNotContain("failed", "moved");
        assertThat(slurm.state(jobs.getFirst())).isEqualTo("RUNNING");
        assertThat(slurm.state(jobs.getLast())).isEqualTo("RUNNING");

        slurm.done("scontrol", "delete", "reservation=fan");
        admin.delete("/clusters/%s/outages/%s".formatted(cluster, recorded.id()));
        awaitNodes(name, "n1", "n2", "n3", "n4");
        awaitAllInPlace();
        as("daemon")
                .post("/reservations/%s/complete".formatted(booked.path("id").asString()), "");
        var over = admin.get("/reservations/" + booked.path("id").asString()).body();
        assertThat(over.path("losses").path("peSeconds").asLong()).isPositive();
        assertThat(new BigDecimal(over.path("credit").path("amount").asString()))
                .isPositive();
    }

    private List<String> events(JsonNode booked) throws Exception {
        return admin.get("/reservations/%s/events".formatted(booked.path("id").asString()))
                .body()
                .path("items")
                .findValuesAsString("type");
    }

    private String jobOn(String node, String reservation) throws Exception {
        return slurm.submit("daemon", "-N1", "-w" + node, "-t9", "--reservation=" + reservation)
                .text();
    }

    private void awaitNodes(String name, String... nodes) throws Exception {
        var wanted = new TreeSet<>(List.of(nodes));
        Waiting.until(
                SOON,
                () -> "%s%n%s%n%s".formatted(seen("/outages"), seen("/schedule"), agent.output()),
                () -> slurm.reservation(name).nodes().equals(wanted));
    }

    private String seen(String what) {
        try {
            return admin.get("/clusters/" + cluster + what).body().toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String jobs() {
        try {
            return admin.get("/clusters/%s/jobs?state=RUNNING".formatted(cluster))
                    .body()
                    .toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theJobsOfTheQueueEndBeforeAnOutageThatIsRecordedInBerth() throws Exception {
        var booked = reserve("daemon", "{\"duration\":\"PT1H\",\"pes\":3}");
        awaitAllInPlace();
        var runsOn = slurm.submit("games", "-N1", "-wn6", "-t30");
        Waiting.until(SOON, agent::output, () -> slurm.state(runsOn.text()).equals("RUNNING"));

        var recorded = admin.post(
                "/clusters/%s/outages".formatted(cluster),
                "{\"peIds\":\"3-5\",\"from\":\"%s\",\"to\":\"%s\"}"
                        .formatted(in(Duration.ofSeconds(20)), in(Duration.ofHours(1))));
        assertThat(recorded.status()).as("%s", recorded.body()).isEqualTo(201);
        var maintenance = nameOfMaintenance(recorded.id());
        awaitAllInPlace();
        assertThat(slurm.reservation(maintenance).nodes()).containsExactly("n4", "n5", "n6");
        var waits = slurm.submit("games", "-N1", "-wn5", "-t10");
        long start = slurm.reservation(maintenance).start();
        Waiting.until(Duration.ofMinutes(1), agent::output, () -> Instant.now().getEpochSecond() > start + 2);

        // reservations of users may be made and changed while the outage lasts
        var next = reserve("games", "{\"duration\":\"PT10M\",\"pes\":2}");
        awaitAllInPlace();
        as("games").post("/reservations/%s/complete".formatted(next.path("id").asString()), "");
        awaitAllInPlace();
        assertThat(outages()).containsExactly("3-5");
        assertThat(slurm.state(waits.text())).isEqualTo("PENDING");
        assertThat(slurm.state(runsOn.text())).isEqualTo("RUNNING");
        assertThat(slurm.reservations()).containsKey(name(booked));

        admin.delete("/clusters/%s/outages/%s".formatted(cluster, recorded.id()));
        awaitAllInPlace();
        assertThat(slurm.reservations()).doesNotContainKey(maintenance);
        Waiting.until(SOON, agent::output, () -> slurm.state(waits.text()).equals("RUNNING"));
    }

    @Test
    void aReservationBeginsNowAlthoughJobsOfALowerPartitionHaveAllNodes() throws Exception {
        slurm.done("scontrol", "create", "PartitionName=scavenge", "Nodes=ALL", "PriorityTier=0", "MaxTime=60");
        try {
            var lower = slurm.submit("games", "-N" + NODES, "-pscavenge", "-t60");
            Waiting.until(SOON, agent::output, () -> slurm.state(lower.text()).equals("RUNNING"));
            awaitPass();
            assertThat(jobs()).doesNotContain("\"peIds\":\"");

            var booked = reserve(
                    "daemon",
                    "{\"duration\":\"PT10M\",\"pes\":4,\"deadline\":\"%s\"}".formatted(in(Duration.ofMinutes(11))));
            awaitAllInPlace();
            var own = slurm.submit("daemon", "-N4", "-t5", "--reservation=" + name(booked));

            Waiting.until(SOON, agent::output, () -> slurm.state(own.text()).equals("RUNNING"));
            slurm.done("scancel", lower.text());
            slurm.done("scancel", own.text());
            Waiting.until(SOON, agent::output, () -> slurm.done("squeue", "-h").isEmpty());
        } finally {
            slurm.run("scontrol", "delete", "PartitionName=scavenge");
        }
    }

    @Test
    void theNodesOfAPartitionThatIsDownAreAnOutageUnlessAnotherPartitionHasThem() throws Exception {
        slurm.done("scontrol", "create", "PartitionName=other", "Nodes=n[5-%d]".formatted(NODES));
        try {
            slurm.done("scontrol", "update", "PartitionName=batch", "State=DOWN");
            Waiting.until(SOON, agent::output, () -> outages().equals(List.of("0-3")));
        } finally {
            slurm.done("scontrol", "update", "PartitionName=batch", "State=UP");
            slurm.run("scontrol", "delete", "PartitionName=other");
        }
        Waiting.until(Duration.ofSeconds(90), agent::output, () -> outages().isEmpty());
    }

    private List<String> outages() throws IOException {
        return admin.get("/clusters/%s/outages".formatted(cluster))
                .body()
                .path("items")
                .valueStream()
                .filter(each -> each.path("endedAt").isNull())
                .map(each -> each.path("peIds").asString())
                .sorted()
                .toList();
    }

    @Test
    void theAgentRestoresReservationsThatSomebodyDeletedOrEdited() throws Exception {
        var booked = reserve(
                "daemon", "{\"duration\":\"PT1H\",\"pes\":4,\"readyTime\":\"%s\"}".formatted(in(Duration.ofHours(1))));
        var edited = reserve(
                "games", "{\"duration\":\"PT1H\",\"pes\":4,\"readyTime\":\"%s\"}".formatted(in(Duration.ofHours(1))));
        awaitAllInPlace();

        slurm.done("scontrol", "delete", "ReservationName=" + name(booked));
        slurm.done("scontrol", "update", "ReservationName=" + name(edited), "Users=daemon,games", "Nodes=n[9-10]");
        awaitAllInPlace();
    }

    @Test
    void theAgentLeavesReservationsOfAnotherBerthAlone() throws Exception {
        var another = "berth.%s.00000000-0000-7000-8000-000000000000.0".formatted(cluster);
        long now = Instant.now().getEpochSecond();
        slurm.done(
                "scontrol",
                "create",
                "reservation",
                "ReservationName=" + another,
                "StartTime=uts" + now,
                "EndTime=uts" + (now + 1800),
                "Nodes=n16",
                "Users=games");
        var runs = slurm.submit("games", "-N1", "-t10", "--reservation=" + another);
        Waiting.until(SOON, agent::output, () -> slurm.state(runs.text()).equals("RUNNING"));

        Waiting.until(SOON, agent::output, () -> agent.output().contains("no record of them: " + another));
        Waiting.until(SOON, agent::output, () -> outages().equals(List.of("15")));
        assertThat(slurm.state(runs.text())).isEqualTo("RUNNING");
        agent.killHard();
        var adopting = launchAgent(directory.resolve("adopting.log"), Map.of(), "lock-" + cluster, "--once", "--adopt");

        assertThat(adopting.awaitExit(SOON)).as(adopting.output()).isZero();
        assertThat(slurm.reservations()).doesNotContainKey(another);
    }

    /** Slurm forgets its last seconds; the agent relies on what it sees. */
    @Test
    void slurmHasAllReservationsAfterAnyProcessWasKilled() throws Exception {
        for (int hour = 1; hour <= 12; hour++) {
            reserve(
                    USERS.get(hour % 2),
                    "{\"duration\":\"PT1H\",\"pes\":%d,\"readyTime\":\"%s\",\"slack\":\"P60D\"}"
                            .formatted(hour, in(Duration.ofHours(hour))));
        }
        slurm.killController();
        Waiting.until(SOON, agent::output, () -> agent.output().contains("slurmctld does not respond"));
        slurm.startController();
        awaitAllInPlace();

        agent.killHard();
        slurm.killController();
        slurm.startController();
        startAgent();
        awaitAllInPlace();

        berth.last().killHard();
        Waiting.until(SOON, agent::output, () -> agent.output().contains("does not respond"));
        var kept = inSlurm().keySet();
        assertThat(kept).hasSize(12);
        berth.start();
        awaitAllInPlace();
        assertThat(inSlurm().keySet()).isEqualTo(kept);
    }

    @Test
    void onlyOneOfTwoAgentsOnAMachineRuns() throws Exception {
        Waiting.until(SOON, agent::output, () -> agent.output().contains("Following cluster"));
        var second = launchAgent(directory.resolve("second.log"));

        assertThat(second.awaitExit(SOON)).isEqualTo(2);
        assertThat(second.output()).contains("Another agent of cluster " + cluster);
    }

    @Test
    void onlyOneOfTwoAgentsOnTwoMachinesSpeaksForTheCluster() throws Exception {
        Waiting.until(SOON, agent::output, () -> agent.output().contains("Following cluster"));
        Waiting.until(SOON, agent::output, this::isSomebodyHeard);

        var second = launchAgent(
                directory.resolve("second.log"), Map.of(), "lock-elsewhere", "--name", "elsewhere", "--once");

        assertThat(second.awaitExit(SOON)).isEqualTo(3);
        assertThat(second.output()).contains("speaks for the cluster until");
    }

    @Test
    void anAgentThatIsStoppedMakesWayForAnotherAtOnce() throws Exception {
        Waiting.until(SOON, agent::output, this::isSomebodyHeard);

        agent.askToStop();
        assertThat(agent.awaitExit(SOON)).isEqualTo(143);
        var second = launchAgent(
                directory.resolve("second.log"), Map.of(), "lock-elsewhere", "--name", "elsewhere", "--once");

        assertThat(second.awaitExit(SOON)).as(second.output()).isZero();
    }

    @Test
    void aNodeBelongsToOneCluster() throws Exception {
        Waiting.until(SOON, agent::output, this::isSomebodyHeard);
        var first = cluster;
        var ofFirst = agent;

        try {
            follow("\"pes\":%d".formatted(NODES));
            var why = "also belongs to cluster " + first;
            Waiting.until(
                    SOON,
                    agent::output,
                    () -> admin.get("/clusters/%s/enforcement".formatted(cluster))
                            .body()
                            .path("fault")
                            .asString("")
                            .contains(why));
            Waiting.until(SOON, agent::output, () -> agent.output().contains(why));
        } finally {
            ofFirst.askToStop();
            ofFirst.awaitExit(SOON);
        }
        Waiting.until(SOON, agent::output, () -> agent.output().contains("0 in place, 0 not."));
    }

    @Test
    void anAgentRefusesNodesThatSlurmDoesNotHave() throws Exception {
        agent.askToStop();
        agent.awaitExit(SOON);

        follow("\"pes\":%d,\"peNames\":\"n[1-%d]\"".formatted(NODES + 2, NODES + 2));

        assertThat(agent.awaitExit(SOON)).isEqualTo(2);
        assertThat(agent.output()).contains("Slurm has no nodes n[17-18].");
        assertThat(admin.get("/clusters/%s/enforcement".formatted(cluster))
                        .body()
                        .path("fault")
                        .asString(""))
                .isEqualTo("Slurm has no nodes n[17-18]. Correct the cluster's peNames, or --nodes.");
    }

    @Test
    void anAgentWithoutTheRightNamesTheCommandToGrantIt() throws Exception {
        agent.askToStop();
        agent.awaitExit(SOON);
        var programs = Files.createDirectories(directory.resolve("as-nobody"));
        var scontrol = programs.resolve("scontrol");
        Files.writeString(scontrol, """
                #!/bin/bash
                PATH='%s' exec setpriv --reuid=nobody --clear-groups scontrol "$@"
                """.formatted(System.getenv("PATH")));
        Files.setPosixFilePermissions(scontrol, PosixFilePermissions.fromString("rwxr-xr-x"));

        var other = launchAgent(
                directory.resolve("nobody.log"),
                Map.of("PATH", programs + ":" + System.getenv("PATH")),
                "lock-" + cluster);

        assertThat(other.awaitExit(SOON)).isEqualTo(2);
        assertThat(other.output()).contains("may not create reservations in Slurm", "sacctmgr -i create user");
    }

    @Test
    void aJobWithoutAPartitionStartsWhereItsReservationIs() throws Exception {
        slurm.done("scontrol", "create", "partitionname=elsewhere", "nodes=n1", "default=yes");
        try {
            var booked = reserve("daemon", "{\"duration\":\"PT10M\",\"pes\":4}");
            awaitAllInPlace();

            var job = slurm.submit("daemon", "-N4", "-t1", "--reservation=" + name(booked));

            assertThat(job.code()).as(job.text()).isZero();
            Waiting.until(SOON, agent::output, () -> slurm.state(job.text()).equals("RUNNING"));
        } finally {
            slurm.done("scontrol", "update", "partitionname=batch", "default=yes");
            slurm.done("scontrol", "delete", "partitionname=elsewhere");
        }
    }

    private boolean isSomebodyHeard() throws IOException {
        return admin.get("/clusters/%s/enforcement".formatted(cluster))
                .body()
                .path("agent")
                .isString();
    }

    @Test
    void aReservationOfAnUnknownUserFailsAndNamesTheReason() throws Exception {
        // the agent reports the reason before the short run is over
        Waiting.until(SOON, agent::output, this::isSomebodyHeard);
        admin.patch("/clusters/" + cluster, "{\"policy\":{\"enforcement\":\"REQUIRED\"}}");
        var created = admin.post("/accounts", "{\"name\":\"nobody-%s\",\"role\":\"CLIENT\"}".formatted(cluster));
        users.put("stranger", new Api(berth.url(), created.body().path("token").asString()));
        var path = "/reservations/"
                + reserve(
                                "stranger",
                                "{\"duration\":\"PT10S\",\"pes\":4,\"readyTime\":\"%s\"}"
                                        .formatted(in(Duration.ofSeconds(5))))
                        .path("id")
                        .asString();
        var kept = reserve(
                "daemon",
                "{\"duration\":\"PT10S\",\"pes\":4,\"readyTime\":\"%s\"}".formatted(in(Duration.ofSeconds(5))));

        Waiting.until(
                SOON,
                agent::output,
                () -> admin.get(path).body().path("state").asString().equals("CANCELLED"));

        var ended = admin.get(path).body();
        assertThat(ended.path("reason").asString()).isEqualTo("USERS_UNKNOWN");
        assertThat(ended.path("credit").isNull()).isTrue();
        assertThat(ended.at("/enforcement/detail").asString()).contains("Slurm does not know nobody-");
        Waiting.until(
                SOON,
                agent::output,
                () -> admin.get("/reservations/" + kept.path("id").asString())
                        .body()
                        .path("state")
                        .asString()
                        .equals("COMPLETED"));
    }

    @Test
    void anOwnerGivesItsRunToOtherUsersWhileItsJobGoesOn() throws Exception {
        var booked = reserve("daemon", "{\"duration\":\"PT10M\",\"pes\":4}");
        awaitAllInPlace();
        var path = "/reservations/" + booked.path("id").asString();
        var name = name(booked);
        var own = slurm.submit("daemon", "-N2", "-t5", "--reservation=" + name);
        Waiting.until(SOON, agent::output, () -> slurm.state(own.text()).equals("RUNNING"));

        assertThat(as("daemon").patch(path, "{\"users\":[\"games\"]}").status()).isEqualTo(200);

        Waiting.until(SOON, agent::output, () -> slurm.reservation(name).users().equals("games"));
        var others = slurm.submit("games", "-N2", "-t5", "--reservation=" + name);
        assertThat(others.code()).as(others.text()).isZero();
        Waiting.until(SOON, agent::output, () -> slurm.state(others.text()).equals("RUNNING"));
        assertThat(slurm.state(own.text())).isEqualTo("RUNNING");
        assertThat(slurm.submit("daemon", "-N1", "-t1", "--reservation=" + name).text())
                .contains("Access denied");

        as("daemon").patch(path, "{\"users\":[\"daemon\",\"nobody-here\"]}");
        Waiting.until(
                SOON,
                agent::output,
                () -> admin.get(path)
                        .body()
                        .at("/enforcement/cause")
                        .asString("")
                        .equals("USERS_UNKNOWN"));
        assertThat(admin.get(path).body().at("/enforcement/state").asString()).isEqualTo("DRIFTED");
        assertThat(slurm.reservation(name).users()).isEqualTo("daemon");

        as("daemon").patch(path, "{\"users\":[\"daemon\"]}");
        Waiting.until(
                SOON,
                agent::output,
                () -> admin.get(path)
                        .body()
                        .at("/enforcement/state")
                        .asString("")
                        .equals("MATERIALISED"));
        assertThat(slurm.state(others.text())).isEqualTo("RUNNING");
        as("daemon").post(path + "/complete", "");
    }

    /** A program in front of Slurm's programs kills the agent after a number of calls. */
    @Test
    void theNextAgentRepairsTheStateAfterAKillAtAnyCall() throws Exception {
        agent.killHard();
        var programs = Files.createDirectories(directory.resolve("programs-" + cluster));
        var count = directory.resolve("count-" + cluster);
        for (var program : List.of("scontrol", "squeue", "sinfo")) {
            var file = programs.resolve(program);
            Files.writeString(file, """
                    #!/bin/bash
                    /usr/bin/env PATH='%s' %s "$@"
                    code=$?
                    left=$(($(cat %s) - 1))
                    echo $left >%s
                    [ $left = 0 ] && kill -9 $PPID
                    exit $code
                    """.formatted(System.getenv("PATH"), program, count, count));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        var path = Map.of("PATH", programs + ":" + System.getenv("PATH"));
        for (int calls = 1; calls <= CALLS; calls++) {
            var booked = reserve(
                    USERS.get(calls % 2),
                    "{\"duration\":\"PT1H\",\"pes\":3,\"readyTime\":\"%s\"}"
                            .formatted(in(Duration.ofHours(2 * calls))));
            if (calls % 3 == 0) {
                admin.post("/reservations/%s/cancel".formatted(booked.path("id").asString()), "");
            }
            Files.writeString(count, calls + "\n");
            launchAgent(directory.resolve("killed.log"), path, "lock-" + cluster, "--once")
                    .awaitExit(SOON);
            requireNoNodeTwice();
        }

        startAgent();

        awaitAllInPlace();
        requireNoNodeTwice();
    }

    // ---- random changes

    @Test
    void slurmHasThePromisedNodesAfterAnyChanges() throws Exception {
        long seed = Long.getLong("berth.slurm.seed", Instant.now().getEpochSecond() / 86_400);
        System.out.printf("The Slurm agent: %d changes, seed %d%n", CHANGES, seed);
        var random = new Random(seed);
        var live = new ArrayList<String>();
        int kills = 0;
        for (int change = 1; change <= CHANGES; change++) {
            changeSomething(random, live);
            if (random.nextInt(60) == 0) {
                agent.killHard();
                startAgent();
            }
            if (random.nextInt(50) == 0) {
                slurm.killController();
                kills++;
                slurm.startController();
            }
            if (random.nextInt(20) == 0) {
                awaitAllInPlace();
                requireNoNodeTwice();
            }
        }
        awaitAllInPlace();
        requireNoNodeTwice();
        System.out.printf("The Slurm agent: slurmctld was killed %d times%n", kills);
    }

    private void changeSomething(Random random, List<String> live) throws Exception {
        var user = as(USERS.get(random.nextInt(2)));
        if (live.isEmpty() || random.nextInt(5) < 2) {
            var ready = Duration.ofMinutes(10 + random.nextInt(600));
            var length = Duration.ofMinutes(10 + random.nextInt(120));
            var deadline = ready.plus(length).plusMinutes(random.nextInt(3) * 120L);
            var parts = random.nextInt(4) == 0 ? ",\"preemption\":{\"maxParts\":3,\"step\":0.25}" : "";
            var answer = user.post("/reservations", """
                    {"cluster":"%s","terms":{"duration":"%s","pes":%d,"readyTime":"%s","deadline":"%s"%s}}""".formatted(
                            cluster, length, 1 + random.nextInt(8), in(ready), in(deadline), parts));
            if (answer.status() == 201) {
                live.add(answer.id());
            } else {
                assertThat(answer.status()).as("%s", answer.body()).isEqualTo(409);
            }
            return;
        }
        int index = random.nextInt(live.size());
        switch (random.nextInt(4)) {
            case 0 -> admin.post("/reservations/%s/cancel".formatted(live.remove(index)), "");
            case 1, 2 -> USERS.forEach(each -> renegotiate(as(each), live.get(index), 1 + random.nextInt(8)));
            default -> {
                var path = "/clusters/%s/outages".formatted(cluster);
                var open = admin.get(path)
                        .body()
                        .path("items")
                        .valueStream()
                        .filter(each -> each.path("endedAt").isNull())
                        .map(each -> each.path("id").asString())
                        .toList();
                if (open.size() > 1) {
                    admin.delete(path + "/" + open.getFirst());
                } else {
                    admin.post(path, "{\"peIds\":\"%d\"}".formatted(random.nextInt(NODES)));
                }
            }
        }
    }

    private static void renegotiate(Api user, String id, int pes) {
        try {
            user.post("/reservations/%s/renegotiations".formatted(id), "{\"terms\":{\"pes\":%d}}".formatted(pes));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The counts of a long run. */
    private static final class Tally {
        private int booked;
        private int jobs;
        private int outages;
        private int ends;
        private int looks;
    }

    /**
     * Makes requests, submits jobs, removes nodes and returns them, and kills every part, for {@code berth.slurm.minutes} minutes.
     * Everything promised must be in place.
     */
    @Test
    void inALongRunNoNodeIsGivenTwiceAndNoPromiseIsForgotten() throws Exception {
        long minutes = Long.getLong("berth.slurm.minutes", 0);
        assumeTrue(minutes > 0, "berth.slurm.minutes does not say how long");
        long seed = Long.getLong("berth.slurm.seed", Instant.now().getEpochSecond());
        admin.patch("/clusters/" + cluster, "{\"policy\":{\"enforcement\":\"REQUIRED\"}}");
        var from = Instant.now().plus(Duration.ofDays(2)).getEpochSecond();
        slurm.done(
                "scontrol",
                "create",
                "reservation",
                "ReservationName=class",
                "StartTime=uts" + from,
                "EndTime=uts" + (from + 3600),
                "Nodes=n[1-2]",
                "Users=root");
        var foreign = slurm.reservation("class");
        var random = new Random(seed);
        var tally = new Tally();
        var all = new ArrayList<String>();
        var end = Instant.now().plus(Duration.ofMinutes(minutes));
        while (Instant.now().isBefore(end)) {
            try {
                somethingHappens(random, all, tally);
            } catch (IOException e) {
                // a Berth that was just killed
                Thread.sleep(200);
            }
            requireNoNodeTwice();
            assertThat(slurm.reservation("class")).isEqualTo(foreign);
            tally.looks++;
            Thread.sleep(random.nextInt(500));
        }
        slurm.run("scontrol", "update", "nodename=n[1-%d]".formatted(NODES), "state=resume");
        var reasons = new TreeMap<String, Integer>();
        int started = 0;
        for (var id : all) {
            var happened = admin.get("/reservations/%s/events?limit=500".formatted(id))
                    .body()
                    .path("items")
                    .findValuesAsString("type");
            var now = admin.get("/reservations/" + id).body();
            boolean isFailed = now.path("state").asString().equals("FAILED");
            reasons.merge(
                    isFailed ? now.path("reason").asString() : now.path("state").asString(), 1, Integer::sum);
            if (happened.contains("started")) {
                started++;
                boolean isYoung = Instant.parse(now.at("/placement/start").asString())
                        .isAfter(Instant.now().minusSeconds(60));
                assertThat(happened.contains("enforced") || isFailed || isYoung || !hasRun(now))
                        .as("%s: %s", now, happened)
                        .isTrue();
            }
        }
        System.out.printf(
                "The Slurm agent, %d minutes, seed %d: %d booked, %d of them started, %s; %d jobs, %d times a node went, %d sudden ends;"
                        + " in %d looks no node twice, and the reservation of somebody else as it was%n",
                minutes, seed, tally.booked, started, reasons, tally.jobs, tally.outages, tally.ends, tally.looks);
        awaitAllInPlace();
    }

    private static boolean hasRun(JsonNode reservation) {
        var state = reservation.path("state").asString();
        return state.equals("COMPLETED") || state.equals("RUNNING");
    }

    private void somethingHappens(Random random, List<String> all, Tally tally) throws Exception {
        var user = USERS.get(random.nextInt(2));
        switch (random.nextInt(24)) {
            case 0, 1, 2, 3, 4, 5 -> {
                var ready = Duration.ofSeconds(random.nextInt(300));
                var length = Duration.ofSeconds(30 + random.nextInt(150));
                var deadline = ready.plus(length).plusSeconds(random.nextInt(600));
                var answer = as(user).post("/reservations", """
                        {"cluster":"%s","terms":{"duration":"%s","pes":%d,"readyTime":"%s","deadline":"%s"}}""".formatted(
                                cluster, length, 1 + random.nextInt(6), in(ready), in(deadline)));
                if (answer.status() == 201) {
                    all.add(answer.id());
                    tally.booked++;
                }
            }
            case 6 -> {
                if (!all.isEmpty()) {
                    admin.post("/reservations/%s/cancel".formatted(all.get(random.nextInt(all.size()))), "");
                }
            }
            case 7, 8, 9, 10 -> {
                if (!all.isEmpty()) {
                    var one = admin.get("/reservations/"
                                    + all.get(all.size() - 1 - random.nextInt(Math.min(5, all.size()))))
                            .body();
                    var handle = one.at("/enforcement/handle");
                    if (handle.isString()) {
                        slurm.submit(one.path("owner").asString(), "-N1", "-t1", "--reservation=" + handle.asString());
                        tally.jobs++;
                    }
                }
            }
            case 11, 12, 13 -> {
                slurm.submit(user, "-N" + (1 + random.nextInt(4)), "-t1");
                tally.jobs++;
            }
            case 14 -> {
                slurm.run(
                        "scontrol",
                        "update",
                        "nodename=n" + (1 + random.nextInt(NODES)),
                        "state=" + (random.nextBoolean() ? "drain" : "down"),
                        "reason=test");
                tally.outages++;
            }
            case 15 -> slurm.run("scontrol", "update", "nodename=n[1-%d]".formatted(NODES), "state=resume");
            case 16 -> {
                if (random.nextInt(4) == 0) {
                    agent.killHard();
                    startAgent();
                    tally.ends++;
                }
            }
            case 17 -> {
                if (random.nextInt(6) == 0) {
                    slurm.killController();
                    slurm.startController();
                    tally.ends++;
                }
            }
            case 18 -> {
                if (random.nextInt(12) == 0) {
                    berth.last().killHard();
                    berth.start();
                    tally.ends++;
                }
            }
            case 19 -> {
                var ours = List.copyOf(inSlurm().keySet());
                if (!ours.isEmpty()) {
                    slurm.run("scontrol", "delete", "ReservationName=" + ours.get(random.nextInt(ours.size())));
                }
            }
            default -> Thread.sleep(200);
        }
    }

    private void requireNoNodeTwice() throws Exception {
        var all = List.copyOf(inSlurm().values());
        for (int one = 0; one < all.size(); one++) {
            for (int other = one + 1; other < all.size(); other++) {
                boolean overlap = all.get(one).start() < all.get(other).end()
                        && all.get(other).start() < all.get(one).end();
                // outages may overlap each other
                boolean areOutages = all.get(one).users().equals("root")
                        && all.get(other).users().equals("root");
                var shared = new TreeSet<>(all.get(one).nodes());
                shared.retainAll(all.get(other).nodes());
                assertThat(overlap && !areOutages && !shared.isEmpty())
                        .as("%s and %s", all.get(one), all.get(other))
                        .isFalse();
            }
        }
    }
}
