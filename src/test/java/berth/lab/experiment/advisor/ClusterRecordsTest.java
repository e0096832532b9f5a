package berth.lab.experiment.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.lab.experiment.Figured;
import berth.lab.experiment.TextTable;
import berth.lab.simulation.Job;
import berth.lab.workload.ReservationRequest;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ClusterRecordsTest {
    private static final long NOON = Instant.parse("2027-01-01T12:00:00Z").getEpochSecond();
    private static final String CLUSTER = """
            {"id":"demo","pes":64,"granule":4,"rating":2,"binding":"LATE","policy":{"placement":"PE_BEST_FIT",
             "replanOrder":"FIFO","juggling":"ON_CONFLICT","pullForward":true,"maxMoves":9,"maxMovesPerReservation":2,
             "maxShift":"PT2H","moveRebate":0.05,"notice":"PT10M","limits":{"reservableShare":0.5},"enforcement":"%s"}}""";
    /** A run of an hour on 8 PEs that was requested at noon and began at 13:00. */
    private static final String LISTED = """
            {"createdAt":"2027-01-01T12:00:00Z","state":"%s","updatedAt":"2027-01-01T%s:00Z",
             "terms":{"readyTime":"2027-01-01T12:30:00Z","deadline":"2027-01-01T16:00:00Z","duration":"PT2H","pes":8,
                      "fixAfter":null,"fixBefore":"PT20M"},
             "placement":{"start":"2027-01-01T13:00:00Z","end":"2027-01-01T14:00:00Z","runTime":"PT1H","pes":8,
                      "parts":[{"start":"2027-01-01T13:00:00Z","end":"2027-01-01T14:00:00Z","pes":8}]}}""";

    @Test
    void theMachineHasTheSettingsInForce() {
        var cluster = read("NONE").cluster();

        assertThat(cluster.pes()).isEqualTo(64);
        assertThat(cluster.nodes().granule()).isEqualTo(4);
        assertThat(cluster.reservablePes()).isEqualTo(32);
        assertThat(cluster.policy().notice()).isEqualTo(600);
        assertThat(Setting.of(cluster))
                .isEqualTo(
                        new Setting(PlacementPolicy.PE_BEST_FIT, Juggling.ON_CONFLICT, ReplanOrder.FIFO, Binding.LATE));
        var replanning = cluster.policy().replanning();
        assertThat(replanning.pullForward()).isTrue();
        assertThat(replanning.maxMoves()).isEqualTo(OptionalInt.of(9));
        assertThat(replanning.moves().bounds().maxMoves()).isEqualTo(OptionalInt.of(2));
        assertThat(replanning.moves().bounds().maxShift()).isEqualTo(OptionalLong.of(7200));
        assertThat(replanning.moves().rebate()).isEqualByComparingTo("0.05");
    }

    @Test
    void aClusterThatAnAgentEnforcesBindsEarly() {
        assertThat(read("NONE").bindings()).containsExactlyInAnyOrder(Binding.values());
        assertThat(read("REPORTED").bindings()).containsExactly(Binding.EARLY);
    }

    @Test
    void aRequestHasItsRealWindowAndRunTime() {
        Job job =
                read("NONE", LISTED.formatted("CONFIRMED", "12:00")).requests().getFirst();

        assertThat(job.request()).isEqualTo(new ReservationRequest(1, NOON, NOON + 1800, NOON + 4 * 3600, 3600, 8));
        assertThat(job.fixing().before()).isEqualTo(OptionalLong.of(1200));
        assertThat(job).as("takes its whole time").isEqualTo(job.endingAfter(3600));
    }

    @Test
    void aRunThatEndedEarlyEndsAsEarlyAgain() {
        for (var state : List.of("COMPLETED", "FAILED", "CANCELLED")) {
            var records = read("NONE", LISTED.formatted(state, "13:10"));
            Job job = records.requests().getFirst();

            assertThat(job).isEqualTo(job.endingAfter(600));
            assertThat(records.contents()).contains(List.of("run ended early", "1"));
        }
        assertThat(read("NONE", LISTED.formatted("COMPLETED", "14:00")).contents())
                .contains(List.of("run ended early", "0"), List.of("run whole, or not over", "1"));
    }

    @Test
    void cancelledAndRejectedRequestsAreRequestsToo() {
        var records = read("NONE", LISTED.formatted("CANCELLED", "12:50"), LISTED.formatted("EXPIRED", "12:10"), """
                {"createdAt":"2027-01-01T12:00:00Z","state":"REJECTED","updatedAt":"2027-01-01T12:05:00Z",
                 "terms":{"readyTime":null,"deadline":null,"slack":"PT1H","duration":"PT2H","pes":4},"placement":null}""");

        assertThat(records.contents()).contains(List.of("never began, replayed for the whole time", "3"));
        assertThat(records.requests().getFirst().request())
                .as("two hours on a standard PE take one here, and slack is freedom")
                .isEqualTo(new ReservationRequest(1, NOON, NOON, NOON + 7200, 3600, 4));
    }

    @Test
    void aMoldableRunKeepsTheShapeThatItGot() {
        var records =
                read("NONE", LISTED.formatted("RUNNING", "13:00").replace("\"duration\":\"PT2H\",\"pes\":8", """
                "duration":"PT2H","pes":null,"minPes":4,"maxPes":16"""));

        assertThat(records.requests().getFirst().request().pes()).isEqualTo(8);
    }

    @Test
    void requestsThatCannotBeReplayedAreCounted() {
        var records = read(
                "NONE",
                LISTED.formatted("CONFIRMED", "12:00").replace("\"pes\":8", "\"pes\":68"),
                LISTED.formatted("CONFIRMED", "12:00").replace("\"pes\":8", "\"pes\":null"));

        assertThat(records.requests()).isEmpty();
        assertThat(records.contents())
                .contains(
                        List.of("reservations and requests read", "2"),
                        List.of("left out: without PEs or duration", "1"),
                        List.of("left out: more than 64 PEs", "1"));
        assertThatThrownBy(() -> read("NONE", LISTED.formatted("COMPLETED", "noon")))
                .isInstanceOf(java.time.DateTimeException.class);
    }

    @Test
    void windowsBeginWithTheFirstRequestAndTheLastIsWhole() {
        var hours = new ArrayList<String>();
        for (int hour : List.of(12, 13, 13, 15, 16)) {
            hours.addFirst(LISTED.formatted("CONFIRMED", "12:00")
                    .replace("\"createdAt\":\"2027-01-01T12", "\"createdAt\":\"2027-01-01T" + hour)
                    .replace("2027-01-01T12:30", "2027-01-01T17:00")
                    .replace("2027-01-01T16:00", "2027-01-01T20:00"));
        }
        var windows = read("NONE", hours.toArray(String[]::new)).windows(3600);

        assertThat(windows).as("none at 14:00, and that of 16:00 is not whole").hasSize(3);
        assertThat(windows.get(1)).extracting(job -> job.request().submit()).containsExactly(0L, 0L);
        assertThat(windows.get(2).getFirst().request().readyTime())
                .as("two hours after the request")
                .isEqualTo(7200);
    }

    @Test
    void denserRequestsKeepTheirDistanceToTheirWindows() {
        var records = read("NONE");
        Job job = Job.asReserved(new ReservationRequest(1, 1000, 1600, 9000, 3600, 8));
        var workload = new RecordedWorkload(records, 3600, List.of(List.of(job)), 2, BigDecimal.ZERO);

        assertThat(workload.requests(1, 1).getFirst().request())
                .isEqualTo(new ReservationRequest(1, 500, 1100, 8500, 3600, 8));
        assertThat(workload.span()).isEqualTo(1800);
    }

    @Test
    void theSettingsInForceAreKeptUnlessOthersAreBetter() {
        Job job = Job.asReserved(new ReservationRequest(1, 0, 600, 9000, 3600, 8));
        var workload =
                new RecordedWorkload(read("NONE"), 3600, List.of(List.of(job), List.of(job)), 1, BigDecimal.ZERO);
        var study = new AdvisorStudy(
                workload,
                Setting.crossing(
                        List.of(PlacementPolicy.FIRST_FIT, PlacementPolicy.PE_BEST_FIT),
                        List.of(Juggling.NEVER, Juggling.ON_CONFLICT),
                        List.of(ReplanOrder.FIFO),
                        List.of(Binding.LATE)),
                Aim.UTILISATION,
                1);
        TextTable advice = study.findings(Figured.of(study, 1)).answers().stream()
                .filter(table -> table.title().startsWith("Recommended"))
                .findFirst()
                .orElseThrow();

        assertThat(study.title()).startsWith("Policies for cluster demo: 64 PEs");
        assertThat(advice.rows())
                .contains(
                        List.of("settings", "PE_BEST_FIT, ON_CONFLICT FIFO, LATE"),
                        List.of("policy", "as in force, nothing to change"),
                        List.of("binding", "LATE, as in force"));
        assertThat(advice.rows().get(5).getFirst()).isEqualTo("lead over the settings in force");
        assertThat(advice.note())
                .startsWith("They are not better than the settings in force (PE_BEST_FIT, ON_CONFLICT FIFO, LATE)");
    }

    /** Reads the cluster and reservations, given newest first. */
    private static ClusterRecords read(String enforcement, String... listed) {
        List<JsonNode> items = new ArrayList<>();
        for (String item : listed) {
            items.add(JsonMapper.shared().readTree(item));
        }
        return ClusterRecords.of(JsonMapper.shared().readTree(CLUSTER.formatted(enforcement)), items);
    }
}
