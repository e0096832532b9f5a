package berth.slurm;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import berth.cluster.HostList;
import berth.slurm.Agent.Identity;
import berth.slurm.Agent.Protect;
import berth.slurm.Agent.Settings;
import berth.slurm.Shell.ExitResult;
import berth.terminal.UnusableOption;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The agent between a Berth and a Slurm that behave as the test wants; {@code SlurmAgentIT} has real ones. */
class AgentTest {

    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
    private static final String PREFIX = "berth.tux.";

    private final FakeSlurm shell = new FakeSlurm();
    private final List<String> placements = new CopyOnWriteArrayList<>();
    private final List<String> outages = new CopyOnWriteArrayList<>();
    private final List<String> called = new CopyOnWriteArrayList<>();
    private final List<String> jobsTold = new CopyOnWriteArrayList<>();
    private final List<String> outagesTold = new CopyOnWriteArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final AgentMeters meters = new AgentMeters("tux");

    private volatile Optional<String> anotherPlan = Optional.empty();
    private volatile String card = "{\"pes\":8}";
    private Optional<String> nodes = Optional.of("n[1-8]");
    private Duration margin = Duration.ZERO;
    private boolean maintains = true;
    private boolean adopts;
    /** The ids of reservations that this Berth has recorded. */
    private final Set<String> recorded = ConcurrentHashMap.newKeySet();

    /** How far the agent's clock is ahead of Berth's. */
    private volatile Duration clockAhead = Duration.ZERO;

    private volatile int knows = 200;
    private volatile int claimed = 200;
    private volatile int heard = 200;
    private Instant now = NOON;

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @SuppressWarnings("NullAway.Init")
    private AgentClient berth;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            var path = exchange.getRequestURI().getPath();
            called.add(exchange.getRequestMethod() + " " + path);
            if (path.endsWith("/outages/slurm")) {
                outagesTold.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            }
            if (path.endsWith("/jobs")) {
                jobsTold.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            }
            if (path.endsWith("/enforcement")) {
                told.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            }
            boolean isClaim = path.endsWith("/claim");
            var id = path.substring(path.lastIndexOf('/') + 1);
            boolean isOutage =
                    path.contains("/outages/") && exchange.getRequestMethod().equals("GET");
            boolean isUnknown = (path.contains("/reservations/") || isOutage) && !isClaim && !recorded.contains(id);
            boolean areOutages = exchange.getRequestURI().getQuery() != null
                    && exchange.getRequestURI().getQuery().contains("kind=OUTAGE");
            var body = path.endsWith("/schedule")
                    ? anotherPlan.orElseGet(() ->
                            "{\"placements\":[%s]}".formatted(String.join(",", areOutages ? outages : placements)))
                    : path.endsWith("/tux") ? card : "{\"leftOut\":[],\"id\":\"%s\"}".formatted(id);
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            int status = isUnknown
                    ? 404
                    : path.contains("/reservations/") && !isClaim
                            ? knows
                            : isClaim ? claimed : path.endsWith("/enforcement") ? heard : 200;
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        berth = new AgentClient(
                "http://127.0.0.1:%d".formatted(server.getAddress().getPort()),
                "token",
                "tux",
                () -> Instant.now().plus(clockAhead));
    }

    @AfterEach
    void stop() {
        berth.close();
        server.stop(0);
    }

    private Agent agent(Protect protect) {
        return new Agent(
                new Identity("head1", "7"),
                new Settings("tux", nodes, UserMap.SAME, Optional.empty(), protect, margin, maintains, adopts),
                new Slurm(shell),
                berth,
                () -> now,
                log::add,
                meters);
    }

    private static String id(int number) {
        return "00000000-0000-7000-8000-%012d".formatted(number);
    }

    private void promise(int number, String state, int from, int to, String peIds) {
        placements.add("""
                {"id":"%s","part":0,"state":"%s","owner":"ada","start":"%s","end":"%s","peIds":"%s"}""".formatted(id(number), state, NOON.plusSeconds(from), NOON.plusSeconds(to), peIds));
    }

    private void out(int number, int from, String to, String peIds, String source) {
        recorded.add(id(number));
        outages.add("""
                {"kind":"OUTAGE","id":"%s","start":"%s","end":%s,"peIds":"%s"%s}""".formatted(id(number), NOON.plusSeconds(from), to, peIds, source));
    }

    private void out(int number, int from, int to, String peIds) {
        out(number, from, "\"%s\"".formatted(NOON.plusSeconds(to)), peIds, "");
    }

    private static String nameOfMaintenance(int number) {
        return PREFIX + id(number) + ".maintenance";
    }

    private MachineReservation maintenance(int number) {
        return requireNonNull(shell.reservations.get(nameOfMaintenance(number)));
    }

    private void inSlurm(int number, int from, int to, String... nodes) {
        recorded.add(id(number));
        shell.reservations.put(
                PREFIX + id(number) + ".0",
                new MachineReservation(
                        PREFIX + id(number) + ".0",
                        NOON.getEpochSecond() + from,
                        NOON.getEpochSecond() + to,
                        new TreeSet<>(Arrays.asList(nodes)),
                        new TreeSet<>(List.of("ada"))));
    }

    private MachineReservation held(int number) {
        return requireNonNull(shell.reservations.get(PREFIX + id(number) + ".0"));
    }

    private List<String> nodesOf(int number) {
        return List.copyOf(held(number).nodes());
    }

    @Test
    void theAgentPutsReservationsInPlaceOnce() {
        promise(1, "CONFIRMED", 60, 120, "0-1");
        var agent = agent(Protect.JOBS);

        assertThat(agent.pass().inPlace()).hasSize(1);
        shell.changes.clear();
        assertThat(agent.pass().isAllInPlace()).isTrue();

        assertThat(nodesOf(1)).containsExactly("n1", "n2");
        assertThat(shell.changes).isEmpty();
    }

    @Test
    void aNodeCountsAsTheGranuleOfTheCluster() {
        card = "{\"pes\":32,\"granule\":4,\"peNames\":\"n[1-8]\"}";
        nodes = Optional.empty();
        promise(1, "CONFIRMED", 60, 120, "0-3,8-15");

        var findings = agent(Protect.JOBS).pass();

        assertThat(findings.refused()).isEmpty();
        assertThat(findings.inPlace()).hasSize(1);
        assertThat(nodesOf(1)).containsExactly("n1", "n3", "n4");
        assertThat(told.getLast()).contains("\"peIds\":\"0-3,8-15\"", "\"nodes\":\"n[1,3-4]\"");
    }

    @Test
    void futureReservationsWithoutNodesDoNotDelayOthers() {
        card = "{\"pes\":36,\"granule\":4}";
        promise(1, "CONFIRMED", 60, 120, "28-31");
        promise(2, "CONFIRMED", 60, 120, "32-35");

        assertThat(agent(Protect.JOBS).pass().refused())
                .containsExactly(
                        Map.entry(PREFIX + id(2) + ".0", "It has PEs up to number 35, but there are only 8 nodes."));
        assertThat(nodesOf(1)).containsExactly("n8");
    }

    @Test
    void theAgentChangesNothingIfThePeNamesAreMissingOrDiffer() {
        promise(1, "CONFIRMED", 60, 120, "0");
        nodes = Optional.empty();
        refusesToFollow("{\"pes\":8}", "The cluster has no peNames. Give --nodes");
        nodes = Optional.of("n[1-8]");
        refusesToFollow("{\"pes\":2,\"peNames\":\"n[2-3]\"}", "The nodes differ from the cluster's peNames, n[2-3]");

        assertThat(shell.changes).isEmpty();
    }

    private void refusesToFollow(String its, String why) {
        card = its;
        assertThatExceptionOfType(BerthUnavailable.class)
                .isThrownBy(() -> agent(Protect.JOBS).pass())
                .withMessageStartingWith(why);
    }

    /** A proxy can return anything in place of Berth. */
    @Test
    void theAgentChangesNothingAfterAMalformedPlan() {
        inSlurm(1, 60, 120, "n1");
        for (var other : List.of("", "<html>maintenance</html>", "{}", "[]", "{\"placements\":null}")) {
            anotherPlan = Optional.of(other);

            assertThatExceptionOfType(BerthUnavailable.class)
                    .as(other)
                    .isThrownBy(() -> agent(Protect.JOBS).pass());
        }
        assertThat(shell.changes).isEmpty();
    }

    @Test
    void anyNumberOfReservationsThatHaveEndedAreDeletedAtOnce() {
        IntStream.range(0, 200).forEach(number -> inSlurm(number, 60 * number + 60, 60 * number + 90, "n1"));

        agent(Protect.JOBS).pass();

        assertThat(shell.reservations).isEmpty();
    }

    @Test
    void theAgentLeavesTheReservationsOfAnotherBerthAloneAndNamesThemOnce() {
        promise(1, "CONFIRMED", 60, 120, "0");
        inSlurm(2, -60, 120, "n2");
        recorded.remove(id(2));
        shell.jobs.add("7|ada|RUNNING|batch|1|1:00|1|2|%s%s.0|n2|normal|None".formatted(PREFIX, id(2)));
        var agent = agent(Protect.RESERVATIONS);

        agent.pass();
        agent.pass();

        assertThat(nodesOf(2)).containsExactly("n2");
        assertThat(nodesOf(1)).containsExactly("n1");
        assertThat(shell.changes).noneMatch(change -> change.contains(id(2)) || change.startsWith("scancel"));
        assertThat(log)
                .filteredOn(line -> line.contains("this Berth has no record of them: " + PREFIX + id(2) + ".0")
                        && line.contains("--adopt"))
                .hasSize(1);
        assertThat(outagesTold.getLast()).contains("\"peIds\":\"1\"", "Slurm reservation " + PREFIX + id(2));
        assertThat(called)
                .filteredOn(call -> call.equals("GET /reservations/" + id(2)))
                .hasSize(1);
    }

    @Test
    void anAgentThatAdoptsDeletesTheReservationsOfTheOtherBerth() {
        adopts = true;
        inSlurm(2, -60, 120, "n2");
        recorded.remove(id(2));

        agent(Protect.JOBS).pass();

        assertThat(shell.reservations).isEmpty();
        assertThat(log).noneMatch(line -> line.contains("no record"));
    }

    /** The names of cluster tux-2 begin differently, but a dot in an id would make them begin alike. */
    @Test
    void anAgentNeverTouchesAClusterWhoseNameOnlyBeginsAlike() {
        adopts = true;
        var name = PREFIX + "b." + id(1) + ".0";
        shell.reservations.put(
                name,
                new MachineReservation(
                        name, NOON.getEpochSecond(), NOON.getEpochSecond() + 90, nodes("n1"), nodes("ada")));

        agent(Protect.JOBS).pass();

        assertThat(shell.reservations).containsOnlyKeys(name);
    }

    @Test
    void theJobsOfTheQueueEndBeforeAnOutageThatIsRecordedInBerth() {
        out(1, 600, 1200, "0-1");
        var agent = agent(Protect.RESERVATIONS);

        assertThat(agent.pass().isAllInPlace()).isTrue();

        assertThat(shell.changes)
                .containsExactly(
                        "scontrol create reservation ReservationName=%s StartTime=uts%d EndTime=uts%d Nodes=n1,n2"
                                        .formatted(
                                                nameOfMaintenance(1),
                                                NOON.getEpochSecond() + 600,
                                                NOON.getEpochSecond() + 1200)
                                + " Users=root Flags=MAINT,IGNORE_JOBS");
        agent.pass();
        assertThat(shell.changes).hasSize(1);
        assertThat(outagesTold).allMatch("{\"outages\":[]}"::equals);
        assertThat(told).noneMatch(report -> report.contains("maintenance"));

        outages.clear();
        out(1, 600, 900, "0-1");
        agent.pass();
        assertThat(maintenance(1).end()).isEqualTo(NOON.getEpochSecond() + 900);
        assertThat(shell.changes.getLast()).endsWith("Flags=MAINT,IGNORE_JOBS");

        outages.clear();
        agent(Protect.JOBS).pass();
        assertThat(shell.reservations).isEmpty();
    }

    @Test
    void anOutageWithoutAnEndLastsInSlurmUntilItIsEnded() {
        out(1, -1000, "null", "2,90", "");
        var agent = agent(Protect.JOBS);
        agent.pass();
        now = NOON.plus(Duration.ofDays(364));
        agent.pass();
        assertThat(shell.changes).hasSize(1);
        assertThat(maintenance(1).nodes()).containsExactly("n3");
        assertThat(maintenance(1).end())
                .isGreaterThan(now.plus(Duration.ofDays(365)).getEpochSecond());

        now = NOON.plus(Duration.ofDays(700));
        agent.pass();
        assertThat(shell.changes).hasSize(2);
        assertThat(maintenance(1).end())
                .isGreaterThan(now.plus(Duration.ofDays(365)).getEpochSecond());
    }

    @Test
    void anOutageThatTheAgentHasReportedNeedsNoReservation() {
        out(1, 600, "\"%s\"".formatted(NOON.plusSeconds(1200)), "0-1", ",\"source\":\"slurm\"");
        out(2, 600, "\"%s\"".formatted(NOON.plusSeconds(1200)), "4", ",\"source\":\"nagios\"");

        agent(Protect.JOBS).pass();

        assertThat(shell.reservations).containsOnlyKeys(nameOfMaintenance(2));
    }

    @Test
    void aRunningReservationKeepsItsNodesUntilTheOutageBegins() {
        margin = Duration.ofMinutes(1);
        inSlurm(1, -60, 1000, "n2", "n3");
        promise(1, "RUNNING", -60, 1000, "1-2");
        promise(3, "CONFIRMED", 100, 600, "3");
        out(2, 600, 1200, "0-3");
        var agent = agent(Protect.JOBS);

        assertThat(agent.pass().isAllInPlace()).isTrue();
        assertThat(maintenance(2).nodes()).containsExactly("n1", "n4");
        assertThat(held(3).end()).isEqualTo(NOON.getEpochSecond() + 600);

        // Berth takes the node away when the outage begins
        now = NOON.plusSeconds(600);
        placements.clear();
        promise(1, "RUNNING", -60, 1000, "4");
        shell.changes.clear();
        assertThat(agent.pass().isAllInPlace()).isTrue();
        assertThat(maintenance(2).nodes()).containsExactly("n1", "n2", "n3", "n4");
        assertThat(nodesOf(1)).containsExactly("n5");
        assertThat(shell.changes.getFirst()).contains(nameOfMaintenance(2));
        assertThat(shell.changes).noneMatch(change -> change.startsWith("scancel"));
    }

    @Test
    void anAgentThatLeavesMaintenanceToOthersDeletesItsOwn() {
        out(1, 600, 1200, "0-1");
        agent(Protect.JOBS).pass();
        maintains = false;

        agent(Protect.JOBS).pass();

        assertThat(shell.reservations).isEmpty();
    }

    @Test
    void theMaintenanceOfAnotherBerthIsAnOutage() {
        shell.reservations.put(
                nameOfMaintenance(1),
                new MachineReservation(
                        nameOfMaintenance(1),
                        NOON.getEpochSecond(),
                        NOON.getEpochSecond() + 90,
                        nodes("n1"),
                        nodes("root")));

        agent(Protect.JOBS).pass();

        assertThat(shell.reservations).containsOnlyKeys(nameOfMaintenance(1));
        assertThat(outagesTold.getLast()).contains("Slurm reservation " + nameOfMaintenance(1));
        assertThat(called).contains("GET /clusters/tux/outages/" + id(1));
    }

    private static TreeSet<String> nodes(String... names) {
        return new TreeSet<>(Arrays.asList(names));
    }

    @Test
    void theAgentDeletesNothingIfBerthDoesNotAnswer() {
        inSlurm(1, 60, 120, "n1");
        knows = 503;

        assertThatExceptionOfType(BerthUnavailable.class)
                .isThrownBy(() -> agent(Protect.JOBS).pass());

        assertThat(shell.changes).isEmpty();
    }

    @Test
    void theAgentParksAReservationWhileTwoSwapTheirNodes() {
        inSlurm(1, 60, 120, "n1");
        inSlurm(2, 60, 120, "n2");
        promise(1, "CONFIRMED", 60, 120, "1");
        promise(2, "CONFIRMED", 60, 120, "0");

        assertThat(agent(Protect.JOBS).pass().isAllInPlace()).isTrue();

        assertThat(nodesOf(1)).containsExactly("n2");
        assertThat(nodesOf(2)).containsExactly("n1");
        assertThat(log).anyMatch(line -> line.endsWith(" out of the way for now."));
    }

    @Test
    void aReservationRefusedForAnotherReasonStaysInPlace() {
        inSlurm(1, 60, 120, "n1");
        promise(1, "CONFIRMED", 60, 180, "0");
        shell.refuses = Optional.of("Invalid user id");

        var findings = agent(Protect.JOBS).pass();

        assertThat(findings.refused()).containsValue("Invalid user id");
        assertThat(held(1).end()).isEqualTo(NOON.getEpochSecond() + 120);
        assertThat(log).noneMatch(line -> line.endsWith(" out of the way for now."));
    }

    @Test
    void ifSlurmRefusesOneHalfOfASwapTheOtherHalfHappensFirst() {
        inSlurm(1, 60, 120, "n1");
        inSlurm(2, 60, 120, "n2");
        promise(1, "CONFIRMED", 60, 120, "1");
        promise(2, "CONFIRMED", 60, 120, "0");
        var agent = agent(Protect.JOBS);

        shell.refusesNodes = Optional.of("n1");
        assertThat(agent.pass().refused()).containsOnlyKeys(PREFIX + id(2) + ".0");
        assertThat(nodesOf(1)).containsExactly("n2");
        shell.refusesNodes = Optional.empty();

        assertThat(agent.pass().isAllInPlace()).isTrue();
        assertThat(nodesOf(2)).containsExactly("n1");
    }

    @Test
    void aReservationParkedInVainReturnsToItsPlace() {
        inSlurm(1, 60, 120, "n1");
        inSlurm(2, 60, 120, "n2");
        promise(1, "CONFIRMED", 60, 120, "2");
        promise(2, "CONFIRMED", 60, 120, "0");
        shell.refusesNodes = Optional.of("n3");
        shell.refusesOthers = Optional.of("n1");

        assertThat(agent(Protect.JOBS).pass().isAllInPlace()).isFalse();

        assertThat(shell.reservations.values()).allMatch(each -> each.start() == NOON.getEpochSecond() + 60);
        assertThat(log).anyMatch(line -> line.endsWith(" back to its old place."));
    }

    @Test
    void aForeignReservationOfCoresBlocksItsNodes() {
        shell.reservations.put(
                "class",
                new MachineReservation(
                        "class",
                        NOON.getEpochSecond(),
                        NOON.getEpochSecond() + 90,
                        new TreeSet<>(List.of("n1")),
                        new TreeSet<>()));
        promise(1, "CONFIRMED", 60, 120, "0");

        assertThat(agent(Protect.JOBS).pass().refused())
                .containsValue("Slurm reservation class has some of its nodes.");
        assertThat(shell.reservations).containsOnlyKeys("class");
    }

    @Test
    void aRecordThatCannotBeReadIsLoggedOnceAndStopsNoPass() {
        promise(1, "CONFIRMED", 60, 120, "0");
        shell.jobs.add("7|bob|RUNNING|batch|many|1:00|1|2|(null)|n1|normal|None");
        shell.foreign.add("ReservationName=by hand");
        var agent = agent(Protect.JOBS);

        assertThat(agent.pass().isAllInPlace()).isTrue();
        agent.pass();

        assertThat(log)
                .filteredOn(line -> line.startsWith("Slurm has a record that cannot be read"))
                .hasSize(2);
    }

    @Test
    void anAgentWithoutTheRightNamesTheCommandToGrantIt() {
        shell.isOperator = false;

        assertThatExceptionOfType(NoRight.class)
                .isThrownBy(() -> agent(Protect.JOBS).requireAbility())
                .withMessageContaining("sacctmgr -i create user %s account=root AdminLevel=Operator"
                        .formatted(System.getProperty("user.name")));

        assertThat(shell.changes).isEmpty();
    }

    @Test
    void theAgentDistinguishesALostRightFromAnUnknownUser() {
        promise(1, "CONFIRMED", 60, 120, "0");
        shell.isOperator = false;

        assertThatExceptionOfType(NoRight.class)
                .isThrownBy(() -> agent(Protect.JOBS).pass());
        shell.isOperator = true;

        assertThat(agent(Protect.JOBS).pass().isAllInPlace()).isTrue();
    }

    @Test
    void nodesThatSlurmDoesNotHaveAreNamedBeforeTheFirstPass() {
        card = "{\"pes\":10}";
        nodes = Optional.of("n[1-10]");

        assertThatExceptionOfType(UnusableOption.class)
                .isThrownBy(() -> agent(Protect.JOBS).requireAbility())
                .withMessage("Slurm has no nodes n[9-10]. Correct the cluster's peNames, or --nodes.");
        nodes = Optional.of("n[1-8]");
        card = "{\"pes\":8}";
        agent(Protect.JOBS).requireAbility();
    }

    @Test
    void anAgentWithAWrongClockChangesNothingAndNamesTheRemedy() {
        promise(1, "CONFIRMED", 60, 120, "0");
        for (int seconds : List.of(90, -90)) {
            clockAhead = Duration.ofSeconds(seconds);

            assertThatExceptionOfType(BerthUnavailable.class)
                    .isThrownBy(() -> agent(Protect.JOBS).pass())
                    .withMessageMatching(
                            "This machine's clock is (8\\d|90)\\.\\d+ s %s that of Berth\\. Synchronise both, for example with chrony\\."
                                    .formatted(seconds > 0 ? "ahead of" : "behind"));
            assertThat(told.getLast()).contains("\"fault\":\"This machine's clock is ");
        }
        assertThat(shell.changes).isEmpty();
        clockAhead = Duration.ZERO;
        assertThat(agent(Protect.JOBS).pass().isAllInPlace()).isTrue();
        assertThat(log).noneMatch(line -> line.contains("clock"));
    }

    @Test
    void anAgentWhoseClockIsALittleWrongSaysSoOnceAndFollowsThePlan() {
        promise(1, "CONFIRMED", 60, 120, "0");
        clockAhead = Duration.ofMillis(4500);
        var agent = agent(Protect.JOBS);

        agent.pass();
        agent.pass();

        assertThat(held(1).end()).isEqualTo(NOON.getEpochSecond() + 120);
        assertThat(log).filteredOn(line -> line.contains("clock")).hasSize(1);
    }

    @Test
    void anAgentThatLeavesGivesItsLeaseBackAndSaysWhy() {
        agent(Protect.JOBS).leave(Optional.of("Slurm has no nodes n9."));

        assertThat(told.getLast())
                .contains("\"agent\":\"head1\"", "\"lease\":\"PT0S\"", "\"fault\":\"Slurm has no nodes n9.\"");
        agent(Protect.JOBS).leave(Optional.empty());
        assertThat(told.getLast()).contains("\"lease\":\"PT0S\"").doesNotContain("fault");
    }

    @Test
    void anAgentNamesItsMachineAndItsNodes() {
        agent(Protect.JOBS).pass();

        assertThat(told.getLast()).contains("\"machine\":\"tux@head\",\"nodes\":\"n[1-8]\",\"ahead\":\"PT24H10M\"");
    }

    @Test
    void aReservationIsInSlurmADayBeforeItsStartHoweverShortTheJobsAre() {
        shell.partitions = "PartitionName=batch MaxTime=1:00:00 Nodes=n[1-8]";
        promise(1, "CONFIRMED", 60 * 60 * 24, 60 * 60 * 25, "0");
        promise(2, "CONFIRMED", 60 * 60 * 24 + 1, 60 * 60 * 25, "1");

        agent(Protect.JOBS).pass();

        assertThat(shell.reservations).containsOnlyKeys(PREFIX + id(1) + ".0");
        assertThat(told.getLast()).contains(id(1));
        assertThat(told).anyMatch(report -> report.contains("\"ahead\":\"PT24H\""));
    }

    @Test
    void theAgentReportsAnUnknownUserLongBeforeTheStart() {
        promise(1, "CONFIRMED", 60, 120, "0");
        promise(2, "CONFIRMED", 60 * 60 * 24 * 30, 60 * 60 * 24 * 31, "0");
        placements.set(1, placements.get(1).replace("\"owner\"", "\"users\":[\"bob\",\"nobody-here\"],\"owner\""));
        shell.unknown.add("nobody-here");
        var agent = agent(Protect.JOBS);

        agent.pass();

        assertThat(told.getLast())
                .contains(
                        "\"id\":\"%s\",\"part\":0,\"state\":\"FAILED\"".formatted(id(2)),
                        "\"cause\":\"USERS_UNKNOWN\"",
                        "Slurm does not know nobody-here. Name other users.");
        assertThat(nodesOf(1)).containsExactly("n1");
        shell.asked.clear();
        agent.pass();
        assertThat(shell.asked).isEmpty();

        shell.unknown.clear();
        now = NOON.plusSeconds(30);
        assertThat(agent.pass().refused()).isEmpty();
        assertThat(shell.asked).containsExactly("nobody-here");
    }

    private void users(int number, String... names) {
        var place = placements.get(number - 1).replaceAll("\"users\":\\[[^]]*],", "");
        var list = Arrays.stream(names).map("\"%s\""::formatted).collect(Collectors.joining(","));
        placements.set(number - 1, place.replace("\"owner\"", "\"users\":[%s],\"owner\"".formatted(list)));
    }

    @Test
    void theAgentUpdatesTheUsersOfAReservationInSlurm() {
        promise(1, "RUNNING", -60, 120, "0");
        inSlurm(1, -60, 120, "n1");
        users(1, "bob", "carol");

        assertThat(agent(Protect.JOBS).pass().isAllInPlace()).isTrue();

        assertThat(held(1).users()).containsExactly("bob", "carol");
        assertThat(shell.changes).hasSize(1).first().asString().contains("update", "Users=bob,carol");
        assertThat(told.getLast()).contains("\"state\":\"MATERIALISED\"");
    }

    @Test
    void aReservationInSlurmGetsTheKnownAmongItsNewUsers() {
        promise(1, "RUNNING", -60, 120, "0");
        inSlurm(1, -60, 120, "n1");
        users(1, "bob", "nobody-here");
        shell.unknown.add("nobody-here");
        var agent = agent(Protect.JOBS);

        agent.pass();

        assertThat(held(1).users()).containsExactly("bob");
        assertThat(told.getLast())
                .contains(
                        "\"state\":\"DRIFTED\"",
                        "\"start\":",
                        "\"peIds\":\"0\"",
                        "\"cause\":\"USERS_UNKNOWN\"",
                        "Slurm does not know nobody-here. Name other users.");
        users(1, "bob");
        agent.pass();
        assertThat(told.getLast()).contains("\"state\":\"MATERIALISED\"").doesNotContain("cause");
    }

    @Test
    void aReservationKeepsItsUsersButMovesIfAllNewUsersAreUnknown() {
        promise(1, "CONFIRMED", 60, 180, "0");
        inSlurm(1, 60, 120, "n2");
        users(1, "nobody-here");
        shell.unknown.add("nobody-here");

        agent(Protect.JOBS).pass();

        assertThat(held(1).users()).containsExactly("ada");
        assertThat(nodesOf(1)).containsExactly("n1");
        assertThat(held(1).end()).isEqualTo(NOON.getEpochSecond() + 180);
        assertThat(told.getLast()).contains("\"state\":\"DRIFTED\"", "\"cause\":\"USERS_UNKNOWN\"");
    }

    @Test
    void theAgentReportsCorrectedUsersLongBeforeTheStart() {
        promise(1, "CONFIRMED", 60 * 60 * 24 * 30, 60 * 60 * 24 * 31, "0");
        users(1, "nobody-here");
        shell.unknown.add("nobody-here");
        var agent = agent(Protect.JOBS);
        agent.pass();
        assertThat(told.getLast()).contains("\"state\":\"FAILED\"");

        users(1, "bob");
        agent.pass();

        assertThat(told.getLast()).contains("\"state\":\"PENDING\"").doesNotContain("cause", "detail");
        int reports = told.size();
        agent.pass();
        assertThat(told.subList(reports, told.size())).allMatch(report -> report.contains("\"reservations\":[]"));
    }

    @Test
    void theAgentChecksUsersOneByOneOnlyIfOneIsUnknown() {
        var users = IntStream.range(0, 64).mapToObj("u%02d"::formatted).toList();
        var slurm = new Slurm(shell);

        assertThat(slurm.unknown(users)).isEmpty();
        assertThat(shell.asked).hasSize(1);
        shell.unknown.addAll(List.of("u07", "u63"));
        assertThat(slurm.unknown(users)).containsExactlyInAnyOrder("u07", "u63");
        assertThat(shell.asked).hasSizeLessThan(30);
    }

    @Test
    void theAgentNamesImpossibleReservationsAndFollowsTheOthers() {
        promise(1, "CONFIRMED", 60, 120, "0-8");
        promise(2, "CONFIRMED", 60, 120, "0");

        var findings = agent(Protect.JOBS).pass();

        assertThat(findings.inPlace()).containsExactly(PREFIX + id(2) + ".0");
        assertThat(findings.refused()).containsOnlyKeys(PREFIX + id(1) + ".0");
    }

    @Test
    void theAgentRepeatsOnlyClaimsThatFailed() {
        promise(1, "RUNNING", -60, 120, "0");
        shell.jobs.add("7|ada|RUNNING|batch|1|1:00|1|2|%s%s.0,other|n1|normal|None".formatted(PREFIX, id(1)));
        var agent = agent(Protect.JOBS);

        claimed = 503;
        agent.pass();
        claimed = 200;
        agent.pass();
        agent.pass();

        assertThat(called).filteredOn(call -> call.endsWith("/claim")).hasSize(2);
    }

    @Test
    void aJobThatEndsBetweenTwoPassesIsAClaim() {
        promise(1, "RUNNING", -60, 120, "0");
        promise(2, "RUNNING", -60, 120, "1");
        shell.ended.add("7|ada|COMPLETED|batch|1|1:00|1|2|%s%s.0|n1|normal|None".formatted(PREFIX, id(1)));
        // cancelled before it had a node
        shell.ended.add("8|ada|CANCELLED|batch|1|1:00|1|2|%s%s.0||normal|None".formatted(PREFIX, id(2)));

        agent(Protect.JOBS).pass();

        assertThat(called)
                .filteredOn(call -> call.endsWith("/claim"))
                .containsExactly("POST /reservations/%s/claim".formatted(id(1)));
    }

    @Test
    void theAgentEndsOnlyForeignJobsOnProtectedNodes() {
        promise(1, "RUNNING", -60, 120, "0");
        promise(2, "CONFIRMED", 60, 120, "1");
        shell.jobs.addAll(List.of(
                "1|bob|RUNNING|batch|1|1:00|1|2|(null)|n1|normal|None",
                "2|bob|RUNNING|batch|1|1:00|1|2|(null)|n2|normal|None",
                "3|ada|RUNNING|batch|1|1:00|1|2|%s%s.0|n1|normal|None".formatted(PREFIX, id(1)),
                "4|bob|COMPLETING|batch|1|1:00|1|2|(null)|n1|normal|None",
                "5|eve|RUNNING|batch|1|1:00|1|2|class|n1|normal|None"));

        agent(Protect.JOBS).pass();
        assertThat(shell.changes).noneMatch(change -> change.startsWith("scancel"));
        agent(Protect.RESERVATIONS).pass();

        assertThat(shell.changes)
                .filteredOn(change -> change.startsWith("scancel"))
                .containsExactly("scancel 1");
    }

    @Test
    void nodesThatAreOnlyInClosedPartitionsAreOutOfService() {
        shell.partitions = """
                PartitionName=batch MaxTime=1:00:00 Nodes=n[1-8] State=DOWN
                PartitionName=old MaxTime=1:00:00 Nodes=n[1-8] State=INACTIVE
                PartitionName=gpu MaxTime=1:00:00 Nodes=n[4-8] State=UP
                PartitionName=far MaxTime=1:00:00 Nodes=n[20-30] State=UP""";
        inSlurm(1, -60, 600, "n2", "n3");
        promise(1, "RUNNING", -60, 600, "1-2");
        runs(7, "ada", 9, PREFIX + id(1) + ".0", "n2");

        agent(Protect.JOBS).pass();

        // the job on n2 may finish, and no other one may start on n1 and n3
        assertThat(outagesTold.getLast())
                .contains(
                        "{\"peIds\":\"0,2\",\"reason\":\"Partition batch starts no jobs.\"}",
                        "{\"peIds\":\"1\",\"from\":\"%s\",\"reason\":\"Partition batch starts no jobs.\"}"
                                .formatted(NOON.plusSeconds(600)));
        assertThat(outagesTold.getLast().split("peIds")).hasSize(3);
        shell.partitions = "PartitionName=batch MaxTime=1:00:00 Nodes=n[1-8] State=UP";
        now = NOON.plusSeconds(61);
        agent(Protect.JOBS).pass();
        assertThat(outagesTold.getLast()).isEqualTo("{\"outages\":[]}");
    }

    @Test
    void jobsOfLowerPartitionsDoNotBlockReservations() {
        shell.partitions = """
                PartitionName=batch Default=YES MaxTime=1:00:00 Nodes=n[1-8] PriorityTier=2 PreemptMode=REQUEUE State=UP
                PartitionName=scavenge MaxTime=1:00:00 Nodes=n[1-8] PriorityTier=1 PreemptMode=REQUEUE State=UP
                PartitionName=firm MaxTime=1:00:00 Nodes=n[1-8] PriorityTier=1 PreemptMode=OFF State=UP
                PartitionName=equal MaxTime=1:00:00 Nodes=n[1-8] PriorityTier=2 PreemptMode=REQUEUE State=UP""";
        var all = List.of("scavenge", "firm", "equal", "batch");
        for (var partition : all) {
            shell.jobs.add("%s|bob|RUNNING|%s|1|30:00|1|%d|(null)|n%d|normal|None"
                    .formatted(partition, partition, NOON.getEpochSecond(), 4 + all.indexOf(partition)));
        }
        shell.jobs.add("both|bob|PENDING|scavenge,batch|1|30:00|1|N/A|(null)||normal|Resources");
        shell.jobs.add("low|bob|PENDING|scavenge|1|30:00|1|N/A|(null)||normal|Resources");
        inSlurm(1, -60, 600, "n2");
        promise(1, "RUNNING", -60, 600, "1");
        promise(2, "RUNNING", -60, 600, "2");
        shell.jobs.add("own|bob|RUNNING|scavenge|1|30:00|1|2|%s%s.0|n3|normal|None".formatted(PREFIX, id(1)));
        placements.set(1, placements.get(1).replace("\"ada\"", "\"cy\""));
        shell.jobs.add("away|ada|RUNNING|scavenge|1|30:00|1|2|(null)|n2|normal|None");

        assertThat(reportedJobs()).contains("scavenge", "firm", "equal", "batch", "both", "low", "away");
        shell.preemptType = "preempt/partition_prio";
        told.clear();

        assertThat(reportedJobs()).contains("firm", "equal", "batch", "both").doesNotContain("scavenge", "low", "away");
        assertThat(told.getLast())
                .contains("\"id\":\"%s\",\"part\":0,\"state\":\"MATERIALISED\"".formatted(id(1)))
                // a job in a reservation keeps its nodes
                .contains("\"id\":\"%s\",\"part\":0,\"state\":\"DRIFTED\"".formatted(id(2)));
    }

    @Test
    void jobsOfLowerQosDoNotBlockReservations() {
        shell.preemptType = "preempt/qos";
        for (var qos : List.of("scavenger", "firm", "normal", "urgent")) {
            shell.jobs.add("job-%s|bob|RUNNING|batch|1|30:00|1|%d|(null)|n1|%s|None"
                    .formatted(qos, NOON.getEpochSecond(), qos));
            shell.jobs.add("next-%s|bob|PENDING|batch|1|30:00|1|N/A|(null)||%s|Resources".formatted(qos, qos));
        }

        assertThat(reportedJobs()).contains("next-scavenger", "next-firm");
        shell.qos = Optional.of("normal|scavenger,firm|cluster\nscavenger||cluster\nfirm||off\nurgent|normal|cluster");

        assertThat(reportedJobs())
                .contains("next-firm", "next-normal", "next-urgent")
                .doesNotContain("scavenger");
    }

    /** Returns the names of the jobs in the report of an agent's first pass. */
    private List<String> reportedJobs() {
        jobsTold.clear();
        agent(Protect.JOBS).pass();
        return Pattern.compile("\"name\":\"(.*?)\"")
                .matcher(jobsTold.getLast())
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** A job as squeue shows it, with its limit in minutes; it began at noon. */
    private void runs(int job, String user, int minutes, String reservation, String nodes) {
        shell.jobs.add("%d|%s|RUNNING|batch|1|%d:00|1|%d|%s|%s|normal|None"
                .formatted(job, user, minutes, NOON.getEpochSecond(), reservation, nodes));
    }

    @Test
    void theNextOwnerHasAReservationBeforeTheJobOfThePreviousOneEnds() {
        inSlurm(1, 0, 90, "n1", "n2");
        promise(1, "RUNNING", 0, 90, "0-1");
        promise(2, "CONFIRMED", 90, 200, "0-1");
        runs(7, "ada", 9, PREFIX + id(1) + ".0", "n[1-2]");
        var agent = agent(Protect.JOBS);

        assertThat(agent.pass().isAllInPlace()).isTrue();

        assertThat(nodesOf(2)).containsExactly("n1", "n2");
        assertThat(told.getLast()).doesNotContain("DRIFTED");
        assertThat(shell.changes).noneMatch(change -> change.startsWith("scancel"));
        now = NOON.plusSeconds(90);
        placements.removeFirst();
        agent.pass();
        assertThat(shell.changes)
                .filteredOn(change -> change.startsWith("scancel"))
                .containsExactly("scancel 7");
    }

    @Test
    void jobsOnAReturnedNodeEndWhenTheNextOwnerBegins() {
        inSlurm(1, 0, 300, "n1", "n2");
        promise(1, "RUNNING", 0, 300, "0");
        runs(7, "ada", 9, PREFIX + id(1) + ".0", "n2");
        runs(8, "ada", 9, PREFIX + id(1) + ".0", "n1");
        var agent = agent(Protect.JOBS);

        assertThat(agent.pass().isAllInPlace()).isTrue();

        assertThat(nodesOf(1)).containsExactly("n1");
        assertThat(shell.changes).noneMatch(change -> change.startsWith("scancel") || change.contains("delete"));
        now = NOON.plusSeconds(90);
        promise(2, "RUNNING", 90, 200, "1");
        agent.pass();
        agent.pass();
        assertThat(nodesOf(2)).containsExactly("n2");
        assertThat(shell.changes)
                .filteredOn(change -> change.startsWith("scancel"))
                .isNotEmpty()
                .allMatch(change -> change.equals("scancel 7"));
    }

    @Test
    void theAgentNamesAJobThatTakesNodesFromTheOwnerOfARunningReservation() {
        inSlurm(1, -60, 600, "n1", "n2");
        promise(1, "RUNNING", -60, 600, "0-1");
        runs(16, "bob", 5, "(null)", "n2");
        var agent = agent(Protect.JOBS);

        agent.pass();

        assertThat(told.getLast())
                .contains(
                        "\"id\":\"%s\",\"part\":0,\"state\":\"DRIFTED\"".formatted(id(1)),
                        "\"cause\":\"NODES_BUSY\"",
                        "Job 16 of bob runs on n2 until 2027-01-01T12:05:00Z.");
        assertThat(log)
                .filteredOn(
                        line -> line.startsWith("Job 16 of bob runs on n2") && line.contains("--protect RESERVATIONS"))
                .hasSize(1);
        shell.jobs.clear();
        agent.pass();
        assertThat(told.getLast()).contains("MATERIALISED").doesNotContain("Job 16");
    }

    @Test
    void theAgentReportsPesTakenByJobsOfOthersOnly() {
        inSlurm(1, -60, 600, "n1", "n2", "n3", "n4");
        inSlurm(9, -600, -60, "n4");
        promise(1, "RUNNING", -60, 600, "0-3");
        placements.set(0, placements.getFirst().replace("\"owner\"", "\"users\":[\"cy\"],\"owner\""));
        promise(2, "CONFIRMED", 600, 900, "0-3");
        runs(16, "bob", 5, "(null)", "n[2-3]");
        runs(17, "ada", 5, "(null)", "n[1,3]");
        runs(18, "cy", 5, "(null)", "n4");
        runs(19, "dan", 5, PREFIX + id(2) + ".0", "n4");
        runs(20, "dan", 5, PREFIX + id(9) + ".0", "n4");

        agent(Protect.JOBS).pass();

        assertThat(told.getLast()).contains("\"cause\":\"NODES_BUSY\"", "\"taken\":\"1-2\"");
    }

    @Test
    void theJobThatGoesOnAfterItsReservationCountsUnlessTheNextOneIsOfTheSameOwner() {
        for (var next : List.of("ada", "bob")) {
            placements.clear();
            inSlurm(1, -100, 0, "n1");
            promise(1, "RUNNING", -100, 2, "0");
            promise(2, "CONFIRMED", 2, 90, "0");
            placements.set(1, placements.get(1).replace("\"ada\"", "\"%s\"".formatted(next)));
            shell.jobs.clear();
            runs(7, "cy", 9, PREFIX + id(1) + ".0", "n1");
            now = NOON;
            var agent = agent(Protect.JOBS);
            agent.pass();

            now = NOON.plusSeconds(8);
            placements.removeFirst();
            agent.pass();

            assertThat(told.getLast().contains("\"cause\":\"NODES_BUSY\"")).isEqualTo(next.equals("bob"));
            assertThat(told.getLast().contains("\"taken\":\"0\"")).isEqualTo(next.equals("bob"));
        }
    }

    @Test
    void aJobThatMayRunIntoAReservationCountsBeforeItsStartOnlyIfItHasAllNodes() {
        promise(1, "CONFIRMED", 60, 600, "0-1");
        promise(2, "CONFIRMED", 60, 600, "2");
        runs(16, "bob", 5, "(null)", "n[2-3]");
        runs(17, "bob", 1, "(null)", "n1");

        agent(Protect.JOBS).pass();

        assertThat(told.getLast())
                .contains(
                        "\"id\":\"%s\",\"part\":0,\"state\":\"MATERIALISED\"".formatted(id(1)),
                        "\"id\":\"%s\",\"part\":0,\"state\":\"DRIFTED\"".formatted(id(2)));
        assertThat(log).filteredOn(line -> line.startsWith("Job 16 of bob")).hasSize(2);
        assertThat(log).noneMatch(line -> line.startsWith("Job 17 of bob"));
    }

    @Test
    void aJobThatIsJustEndingWhenAReservationBeginsDoesNotCount() {
        inSlurm(1, 0, 600, "n1");
        promise(1, "RUNNING", 0, 600, "0");
        shell.jobs.add(
                "16|bob|COMPLETING|batch|1|1:00|1|%d|(null)|n1|normal|None".formatted(NOON.getEpochSecond() - 60));
        var agent = agent(Protect.JOBS);

        now = NOON.plusSeconds(4);
        agent.pass();
        assertThat(told.getLast()).contains("MATERIALISED");
        now = NOON.plusSeconds(5);
        agent.pass();
        assertThat(told.getLast()).contains("DRIFTED");
    }

    @Test
    void theAgentAddsMarginsForJobsAndReportsThePromisedTimes() {
        margin = Duration.ofMinutes(1);
        promise(1, "CONFIRMED", 600, 1200, "0");
        promise(2, "CONFIRMED", 1230, 1800, "0");

        assertThat(agent(Protect.JOBS).pass().isAllInPlace()).isTrue();

        assertThat(held(1).start()).isEqualTo(NOON.getEpochSecond() + 540);
        assertThat(held(1).end()).isEqualTo(NOON.getEpochSecond() + 1200);
        assertThat(held(2).start()).isEqualTo(NOON.getEpochSecond() + 1200);
        assertThat(held(2).end()).isEqualTo(NOON.getEpochSecond() + 1860);
        assertThat(told.getLast())
                .contains(
                        "\"start\":\"%s\"".formatted(NOON.plusSeconds(600)),
                        "\"end\":\"%s\"".formatted(NOON.plusSeconds(1800)))
                .doesNotContain("DRIFTED");
    }

    @Test
    void theAgentReplacesALostNodeOfARunByAnUpdate() {
        inSlurm(1, -60, 600, "n1", "n2", "n3");
        shell.maintenance = Optional.of("maint");
        shell.reservations.put(
                "maint",
                new MachineReservation(
                        "maint", NOON.getEpochSecond() + 100, NOON.getEpochSecond() + 900, nodes("n2"), nodes("root")));
        promise(1, "RUNNING", -60, 600, "0-1,4");
        runs(7, "ada", 9, PREFIX + id(1) + ".0", "n1");

        assertThat(agent(Protect.JOBS).pass().isAllInPlace()).isTrue();

        assertThat(nodesOf(1)).containsExactly("n1", "n2", "n5");
        assertThat(shell.changes)
                .containsExactly("scontrol update ReservationName=%s%s.0 Nodes=n1,n2,n5 Flags=IGNORE_JOBS"
                        .formatted(PREFIX, id(1)));
    }

    @Test
    void aMarginGivesWayToTheNextOwnerAndDoesNotCountAsDrift() {
        margin = Duration.ofMinutes(1);
        inSlurm(1, -600, 660, "n1");
        promise(1, "RUNNING", -600, 600, "0");
        var agent = agent(Protect.JOBS);
        agent.pass();
        assertThat(shell.changes).isEmpty();

        promise(2, "CONFIRMED", 600, 1200, "0");
        assertThat(agent.pass().isAllInPlace()).isTrue();

        assertThat(held(1).end()).isEqualTo(NOON.getEpochSecond() + 600);
        assertThat(held(2).start()).isEqualTo(NOON.getEpochSecond() + 600);
        assertThat(meters.text()).contains("berth_agent_drift_total{cluster=\"tux\"} 0.0");
    }

    @Test
    void theAgentShortensOnlyJobsThatReachIntoTheNextReservation() {
        inSlurm(1, 0, 7200, "n1", "n2");
        promise(1, "RUNNING", 0, 7200, "0-1");
        promise(2, "CONFIRMED", 7200, 9000, "0");
        var ours = PREFIX + id(1) + ".0";
        shell.jobs.addAll(List.of(
                // n2 has no later reservation
                "1|ada|PENDING|batch|1|2:00:00|1|N/A|%s||normal|Reservation".formatted(ours),
                "2|ada|PENDING|batch|1|2:00:00|1|N/A|%s||normal|ReqNodeNotAvail, Reserved for maintenance"
                        .formatted(ours),
                "3|ada|PENDING|batch|1|UNLIMITED|1|N/A|%s||normal|Dependency".formatted(ours),
                "4|ada|PENDING|batch|1|2:00:00|1|N/A|(null)||normal|Resources"));
        now = NOON.plusSeconds(2);

        agent(Protect.JOBS).pass();

        assertThat(shell.changes)
                .filteredOn(change -> change.contains("timelimit"))
                .containsExactly("scontrol update jobid=2 timelimit=119");
    }

    @Test
    void aJobThatFitsOrWaitsForABusyNodeKeepsItsLimit() {
        inSlurm(1, 0, 7200, "n1", "n2");
        promise(1, "RUNNING", 0, 7200, "0-1");
        promise(2, "CONFIRMED", 7200, 9000, "0-1");
        var ours = PREFIX + id(1) + ".0";
        runs(1, "ada", 30, ours, "n1");
        shell.jobs.addAll(List.of(
                "2|ada|PENDING|batch|2|2:00:00|1|N/A|%s||normal|Resources".formatted(ours),
                "3|ada|PENDING|batch|1|1:59:00|1|N/A|%s||normal|Reservation".formatted(ours)));
        now = NOON.plusSeconds(2);

        agent(Protect.JOBS).pass();

        assertThat(shell.changes).noneMatch(change -> change.contains("timelimit"));
    }

    @Test
    void theAgentEndsNoJobsForReservationsThatAreNotInPlace() {
        promise(1, "RUNNING", -60, 120, "0");
        shell.jobs.add("1|bob|RUNNING|batch|1|1:00|1|2|(null)|n1|normal|None");
        shell.refuses = Optional.of("Invalid user id");

        agent(Protect.RESERVATIONS).pass();

        assertThat(shell.changes).noneMatch(change -> change.startsWith("scancel"));
    }

    @Test
    void theAgentStopsAPassWhenSlurmStopsAnswering() {
        promise(1, "CONFIRMED", 60, 120, "0");
        promise(2, "CONFIRMED", 60, 120, "1");
        shell.givesUp = true;

        assertThatExceptionOfType(SlurmUnavailable.class)
                .isThrownBy(() -> agent(Protect.JOBS).pass());

        assertThat(shell.changes).hasSize(1);
    }

    @Test
    void theAgentGivesAReservationToItsNamedUsers() {
        promise(1, "CONFIRMED", 60, 120, "0");
        placements.set(0, placements.getFirst().replace("\"owner\"", "\"users\":[\"cy\",\"bob\"],\"owner\""));

        agent(Protect.JOBS).pass();

        assertThat(held(1).users()).containsExactly("bob", "cy");
    }

    @Test
    void theAgentReportsStatesWhenTheyChangeAndPeriodically() {
        promise(1, "CONFIRMED", 60, 120, "0-2");
        promise(2, "CONFIRMED", 60, 120, "8");
        promise(3, "CONFIRMED", 60 * 60 * 48, 60 * 60 * 50, "0");
        var agent = agent(Protect.JOBS);

        agent.pass();

        assertThat(told.getFirst()).contains("\"agent\":\"head1\"", "\"reservations\":[]");
        assertThat(told.getLast())
                .contains(
                        "{\"id\":\"%s\",\"part\":0,\"state\":\"MATERIALISED\"".formatted(id(1)),
                        "\"start\":\"%s\"".formatted(NOON.plusSeconds(60)),
                        "\"end\":\"%s\"".formatted(NOON.plusSeconds(120)),
                        "\"peIds\":\"0-2\",\"nodes\":\"n[1-3]\"",
                        "\"id\":\"%s\",\"part\":0,\"state\":\"FAILED\"".formatted(id(2)))
                .doesNotContain(id(3));
        int before = told.size();
        agent.pass();
        assertThat(told).hasSize(before + 1);
        now = NOON.plusSeconds(30);
        agent.pass();
        assertThat(told.getLast()).contains(id(1));
    }

    @Test
    void theAgentReportsJobsAndOutagesWhenTheyChangeAndPeriodically() {
        var agent = agent(Protect.JOBS);
        agent.pass();
        assertThat(toldOfJobsAndOutages()).isEqualTo(2);

        now = NOON.plusSeconds(29);
        agent.pass();
        assertThat(toldOfJobsAndOutages()).isEqualTo(2);

        shell.reservations.put(
                "maintenance",
                new MachineReservation(
                        "maintenance",
                        NOON.getEpochSecond() + 100,
                        NOON.getEpochSecond() + 200,
                        new TreeSet<>(List.of("n1")),
                        new TreeSet<>(List.of("root"))));
        agent.pass();
        assertThat(toldOfJobsAndOutages()).isEqualTo(3);

        now = NOON.plusSeconds(30);
        agent.pass();
        assertThat(toldOfJobsAndOutages()).isEqualTo(4);
    }

    private long toldOfJobsAndOutages() {
        return called.stream()
                .filter(call -> call.equals("PUT /clusters/tux/jobs") || call.startsWith("PUT /clusters/tux/outages"))
                .count();
    }

    @Test
    void theAgentCountsChangesBySomebodyElse() {
        promise(1, "CONFIRMED", 60, 120, "0-2");
        promise(2, "CONFIRMED", 60, 120, "3");
        var agent = agent(Protect.JOBS);
        agent.pass();
        assertThat(meters.text())
                .contains(
                        "berth_agent_drift_total{cluster=\"tux\"} 0.0", "berth_agent_acts_total{cluster=\"tux\"} 2.0");

        shell.reservations.remove(PREFIX + id(1) + ".0");
        placements.remove(1);
        agent.pass();
        agent.pass();

        assertThat(meters.text())
                .contains(
                        "berth_agent_drift_total{cluster=\"tux\"} 1.0",
                        "berth_agent_in_place{cluster=\"tux\"} 1.0",
                        "berth_agent_pass_seconds_count{cluster=\"tux\"} 3",
                        "berth_agent_last_pass_seconds{cluster=\"tux\"} ");
    }

    @Test
    void theAgentReportsRefusalsInTheWordsOfSlurm() {
        inSlurm(1, 60, 120, "n1");
        promise(1, "CONFIRMED", 60, 180, "0");
        promise(2, "CONFIRMED", 60, 180, "1");
        shell.refuses = Optional.of("Requested nodes are busy");
        var agent = agent(Protect.JOBS);

        agent.pass();

        assertThat(told.getLast())
                .contains(
                        "\"id\":\"%s\",\"part\":0,\"state\":\"DRIFTED\"".formatted(id(1)),
                        "\"id\":\"%s\",\"part\":0,\"state\":\"PENDING\"".formatted(id(2)),
                        "\"detail\":\"Requested nodes are busy\"");
        shell.refuses = Optional.of("Invalid user id");
        agent.pass();
        assertThat(told.getLast()).contains("\"id\":\"%s\",\"part\":0,\"state\":\"FAILED\"".formatted(id(2)));
    }

    @Test
    void theAgentDoesNothingWhileAnotherSpeaksForTheCluster() {
        promise(1, "CONFIRMED", 60, 120, "0");
        heard = 409;

        assertThatExceptionOfType(BerthUnavailable.class)
                .isThrownBy(() -> agent(Protect.JOBS).pass());

        assertThat(shell.changes).isEmpty();
        assertThat(called).noneMatch(call -> call.endsWith("/jobs") || call.contains("/outages"));
    }

    /** Keeps reservations of whole nodes as Slurm does: they never overlap. */
    private static final class FakeSlurm implements Shell {

        private final Map<String, MachineReservation> reservations = new LinkedHashMap<>();
        private final List<String> foreign = new ArrayList<>();
        private final List<String> jobs = new ArrayList<>();
        private final List<String> ended = new ArrayList<>();
        private final List<String> changes = new ArrayList<>();
        /** The name of a maintenance, over which Slurm lets others lie. */
        private Optional<String> maintenance = Optional.empty();

        private String partitions = "PartitionName=batch MaxTime=1-00:00:00 Nodes=n[1-8]";
        private String preemptType = "preempt/none";
        private Optional<String> qos = Optional.empty();

        private Optional<String> refuses = Optional.empty();
        private Optional<String> refusesNodes = Optional.empty();
        private Optional<String> refusesOthers = Optional.empty();
        private boolean givesUp;
        private boolean isOperator = true;
        private final Set<String> unknown = new HashSet<>();
        private final List<String> asked = new ArrayList<>();

        @Override
        public ExitResult run(List<String> command) {
            var words = String.join(" ", command);
            if (words.startsWith("scontrol show reservation")) {
                return new ExitResult(
                        0,
                        Stream.concat(reservations.values().stream().map(FakeSlurm::line), foreign.stream())
                                .collect(Collectors.joining("\n")));
            }
            if (words.startsWith("scontrol show partition")) {
                return new ExitResult(0, partitions);
            }
            if (words.startsWith("squeue -h -r -t all")) {
                return new ExitResult(
                        0,
                        Stream.concat(jobs.stream(), ended.stream())
                                .map(line -> line.split("\\|"))
                                .map(parts -> parts[9] + "|" + parts[8])
                                .collect(Collectors.joining("\n")));
            }
            if (words.startsWith("squeue")) {
                return new ExitResult(0, String.join("\n", jobs));
            }
            if (words.startsWith("sinfo")) {
                return new ExitResult(
                        0,
                        IntStream.rangeClosed(1, 8)
                                .mapToObj("n%d|idle|none"::formatted)
                                .collect(Collectors.joining("\n")));
            }
            if (words.startsWith("scontrol show config")) {
                return new ExitResult(
                        0,
                        "ClusterName             = tux\nSlurmctldHost[0]        = head\nPreemptMode = REQUEUE\nPreemptType = "
                                + preemptType);
            }
            if (words.startsWith("sacctmgr")) {
                return qos.map(lines -> new ExitResult(0, lines))
                        .orElseGet(() -> new ExitResult(1, "slurmdbd does not respond"));
            }
            if (words.equals("scontrol ping")) {
                return new ExitResult(0, "");
            }
            if (command.contains("Nodes=" + Slurm.NO_NODE)) {
                var users = command.getLast().substring("Users=".length());
                asked.add(users);
                boolean isKnown = isOperator && Arrays.stream(users.split(",")).noneMatch(unknown::contains);
                return new ExitResult(1, isKnown ? "Invalid node name specified" : "Invalid user id");
            }
            changes.add(words);
            return givesUp ? new ExitResult(Shell.GIVEN_UP, "") : change(command);
        }

        private ExitResult change(List<String> command) {
            var values = command.stream()
                    .filter(word -> word.contains("="))
                    .collect(Collectors.toMap(word -> word.split("=", 2)[0], word -> word.split("=", 2)[1]));
            var name = values.get("ReservationName");
            if (name == null) {
                return new ExitResult(0, "");
            }
            if (command.get(1).equals("delete")) {
                reservations.remove(name);
                return new ExitResult(0, "");
            }
            var had = reservations.get(name);
            var next = new MachineReservation(
                    name,
                    second(values.get("StartTime"), had == null ? 0 : had.start()),
                    second(values.get("EndTime"), had == null ? 0 : had.end()),
                    names(values.get("Nodes"), had == null ? new TreeSet<>() : new TreeSet<>(had.nodes())),
                    names(values.get("Users"), had == null ? new TreeSet<>() : new TreeSet<>(had.users())));
            boolean isPlaceOfBefore = had != null && next.nodes().equals(had.nodes());
            if (refuses.isPresent()) {
                return new ExitResult(1, refuses.get());
            }
            boolean isBusy = Stream.of(refusesNodes, refusesOthers)
                            .flatMap(Optional::stream)
                            .anyMatch(next.nodes()::contains)
                    || !String.valueOf(values.get("Flags")).contains("IGNORE_JOBS") && isBusy(next);
            if (!isPlaceOfBefore && isBusy) {
                return new ExitResult(1, "Requested nodes are busy");
            }
            boolean isTaken = !String.valueOf(values.get("Flags")).contains("MAINT")
                    && reservations.values().stream()
                            .anyMatch(other -> !other.name().equals(name)
                                    && !maintenance.equals(Optional.of(other.name()))
                                    && other.isInTheWayOf(next));
            if (isTaken) {
                return new ExitResult(1, "Requested reservation overlaps with another reservation");
            }
            reservations.put(name, next);
            return new ExitResult(0, "");
        }

        /** Slurm refuses nodes on which a job may still run at the start. */
        private boolean isBusy(MachineReservation next) {
            return jobs.stream()
                    .map(job -> job.split("\\|"))
                    .anyMatch(job -> next.takes(HostList.expand(job[9]))
                            && Long.parseLong(job[7]) + Slurm.seconds(job[5]).orElseThrow() > next.start());
        }

        private static long second(@Nullable String word, long had) {
            return word == null ? had : Long.parseLong(word.replace("uts", ""));
        }

        private static TreeSet<String> names(@Nullable String list, TreeSet<String> had) {
            return list == null ? had : new TreeSet<>(Arrays.asList(list.split(",")));
        }

        private static String line(MachineReservation each) {
            return "ReservationName=%s StartTime=%d EndTime=%d Duration=1 Nodes=%s Users=%s State=INACTIVE"
                    .formatted(
                            each.name(),
                            each.start(),
                            each.end(),
                            each.nodes().isEmpty() ? "(null)" : String.join(",", each.nodes()),
                            each.users().isEmpty() ? "(null)" : String.join(",", each.users()));
        }
    }
}
