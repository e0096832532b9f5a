package berth.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import berth.slurm.AgentReport.Job;
import berth.slurm.AgentReport.Out;
import berth.slurm.AgentReport.Outage;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AgentReportTest {

    private static final long NOW = 1_000_000;
    private static final NodeList NODES = NodeList.of(1, "n[1-8]");

    private static SlurmJob running(String id, String user, long start, OptionalLong limit, String... nodes) {
        return new SlurmJob(
                id,
                user,
                "RUNNING",
                Set.of("batch"),
                Arrays.asList(nodes),
                nodes.length,
                limit,
                start - 5,
                OptionalLong.of(start),
                Set.of(),
                "normal",
                "None");
    }

    private static SlurmJob waiting(String id, int count, String reason) {
        return waiting(id, count, reason, "batch");
    }

    private static SlurmJob waiting(String id, int count, String reason, String partition) {
        return new SlurmJob(
                id,
                "ada",
                "PENDING",
                Set.of(partition),
                List.of(),
                count,
                OptionalLong.of(600),
                NOW - 50,
                OptionalLong.empty(),
                Set.of(),
                "normal",
                reason);
    }

    private static List<Job> jobs(SlurmJob... queue) {
        return AgentReport.jobs(
                List.of(queue), NODES, Set.of("batch"), name -> name.startsWith("berth.tux."), 5_000, NOW);
    }

    private static String at(long second) {
        return Instant.ofEpochSecond(second).toString();
    }

    @Test
    void aRunningJobIsReportedWithItsNodes() {
        assertThat(jobs(running("7", "ada", NOW - 100, OptionalLong.of(600), "n2", "n3")))
                .containsExactly(new Job("7", "ada", null, "PT600S", at(NOW - 105), at(NOW - 100), "1-2"));
    }

    @Test
    void nodesAreReportedAsTheirPes() {
        var nodes = NodeList.of(32, "n[1-8]");
        var queue =
                List.of(running("7", "ada", NOW - 100, OptionalLong.of(600), "n2", "n3"), waiting("8", 2, "Resources"));

        assertThat(AgentReport.jobs(queue, nodes, Set.of("batch"), _ -> false, 5_000, NOW))
                .extracting(Job::pes, Job::peIds)
                .containsExactly(tuple(null, "32-95"), tuple(64, null));
        var out = new AgentReport.Out(OptionalLong.empty(), OptionalLong.empty(), "fan");
        assertThat(AgentReport.outages(Map.of("n8", out, "n1", out), List.of(), nodes, NOW))
                .extracting(AgentReport.Outage::peIds)
                .containsExactly("0-31,224-255");
    }

    @Test
    void aSharedNodeBelongsToTheJobThatMayRunLongest() {
        var told = jobs(
                running("1", "ada", NOW - 100, OptionalLong.of(600), "n1", "n2"),
                running("2", "ada", NOW - 10, OptionalLong.of(600), "n2", "n3"),
                running("3", "ada", NOW - 200, OptionalLong.of(300), "n1"));

        assertThat(told).extracting(Job::name).containsExactly("1", "2");
        assertThat(told).extracting(Job::peIds).containsExactly("0", "1-2");
    }

    @Test
    void aJobWithoutALimitRunsAsLongAsTheLongestLimit() {
        assertThat(jobs(running("1", "ada", NOW - 100, OptionalLong.empty(), "n1")))
                .extracting(Job::estimate)
                .containsExactly("PT5000S");
    }

    /** The nodes of the job are being prepared. */
    @Test
    void aConfiguringJobStartsNow() {
        var configuring = new SlurmJob(
                "1",
                "ada",
                "CONFIGURING",
                Set.of("batch"),
                List.of("n1"),
                1,
                OptionalLong.of(600),
                NOW - 5,
                OptionalLong.empty(),
                Set.of(),
                "normal",
                "None");

        assertThat(jobs(configuring)).containsExactly(new Job("1", "ada", null, "PT600S", at(NOW - 5), at(NOW), "0"));
    }

    @Test
    void anImpossibleOwnerIsLeftOut() {
        assertThat(jobs(running("1", "_apt", NOW - 100, OptionalLong.of(60), "n1")))
                .extracting(Job::owner)
                .containsExactly((String) null);
    }

    @Test
    void onlyJobsThatWaitForRoomAreReported() {
        assertThat(jobs(
                        waiting("1", 2, "Priority"),
                        waiting("2", 2, "JobHeldUser"),
                        waiting("3", 2, "Dependency"),
                        waiting("4", 2, "BeginTime"),
                        waiting("5", 9, "Resources"),
                        waiting("7", 1, "Resources", "gpu"),
                        waiting("6", 8, "Resources")))
                .containsExactly(
                        new Job("1", "ada", 2, "PT600S", at(NOW - 50), null, null),
                        new Job("6", "ada", 8, "PT600S", at(NOW - 50), null, null));
    }

    @Test
    void jobsInOurReservationsAndOnOtherNodesAreNotReported() {
        var inOurs = new SlurmJob(
                "1",
                "ada",
                "RUNNING",
                Set.of("batch"),
                List.of("n1"),
                1,
                OptionalLong.of(60),
                NOW,
                OptionalLong.of(NOW),
                Set.of("berth.tux.x.0", "berth.tux.x.1"),
                "normal",
                "None");

        assertThat(jobs(inOurs, running("2", "ada", NOW, OptionalLong.of(60), "gpu1")))
                .isEmpty();
    }

    private static MachineReservation foreign(String name, long start, long end, String... nodes) {
        return new MachineReservation(name, start, end, new TreeSet<>(Arrays.asList(nodes)), new TreeSet<>());
    }

    @Test
    void nodesThatAreOutAndForeignReservationsAreOutages() {
        var told = AgentReport.outages(
                Map.of(
                        "n7", new Out(OptionalLong.empty(), OptionalLong.empty(), "n7 is down: fan\tagain"),
                        "n8", new Out(OptionalLong.of(NOW + 50), OptionalLong.empty(), "n8 is draining: x")),
                List.of(
                        foreign("maint", NOW + 100, NOW + 200, "n1", "n2", "n7", "gpu1"),
                        foreign("class", NOW + 150, NOW + 300, "n2", "n3"),
                        foreign("over", NOW - 100, NOW, "n4")),
                NODES,
                NOW);

        assertThat(told)
                .containsExactlyInAnyOrder(
                        new Outage("6", null, null, "n7 is down: fan?again"),
                        new Outage("7", at(NOW + 50), null, "n8 is draining: x"),
                        new Outage("0", at(NOW + 100), at(NOW + 200), "Slurm reservation maint"),
                        // both, one after another
                        new Outage("1", at(NOW + 100), at(NOW + 300), "Slurm reservation maint"),
                        new Outage("2", at(NOW + 150), at(NOW + 300), "Slurm reservation class"));
    }

    @Test
    void theStateOfANodeShowsWhetherItIsOutOfService() {
        for (var out : List.of("down", "down*", "drained", "fail", "error")) {
            assertThat(new SlurmNode("n1", out, "").isOut()).as(out).isTrue();
        }
        for (var well : List.of(
                "idle", "mixed", "allocated", "reserved", "completing", "idle*", "unknown*", "maint", "draining")) {
            assertThat(new SlurmNode("n1", well, "").isOut()).as(well).isFalse();
        }
    }
}
