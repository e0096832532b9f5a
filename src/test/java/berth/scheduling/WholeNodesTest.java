package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PeSet;
import berth.batch.JobId;
import berth.cluster.Binding;
import berth.cluster.JobIntake;
import berth.cluster.Nodes;
import berth.scheduling.commands.ChangeCluster;
import berth.scheduling.commands.ReplaceJobs;
import berth.scheduling.commands.ReplaceJobs.OutsideJob;
import berth.scheduling.commands.ReplaceOutages;
import berth.scheduling.commands.ReplaceOutages.ToldOutage;
import berth.scheduling.commands.SubmitJob;
import berth.scheduling.places.FreeMap;
import berth.scheduling.places.FreeMap.Row;
import berth.scheduling.places.WouldFit;
import berth.sla.AccountName;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** With nodes of four PEs, requests and answers consist of whole nodes. */
class WholeNodesTest {

    private static final SampleCluster FOURS =
            SampleCluster.of(4).granule(4).bound(Binding.EARLY).jobs(JobIntake.OUTSIDE);

    private final LiveCluster cluster = LiveCluster.of(FOURS);

    @Test
    void aRunTakesWholeNodes() {
        assertThat(cluster.refuse(Request.of(1, 6, 10)))
                .isEqualTo(Rejection.InvalidTerms.of(
                        "pes", "must be a multiple of 4, the PEs per node of this cluster, but is 6; ask for 8"));
        assertThat(cluster.refusedField(Request.of(1, 1, 1).shapes("8:10 6:15")))
                .isEqualTo("pes");
        assertThat(cluster.refusedField(
                        Request.of(1, 8, 10).split(2, "0.5", true).pes(7)))
                .isEqualTo("pes");

        cluster.lose(LiveCluster.outageOf(1, "4-7"));
        cluster.grant(Request.of(2, 8, 10));
        cluster.grant(Request.of(3, 1, 1).shapes("8:10 4:20"));
        assertThat(cluster.peIds(2)).isEqualTo("0-3,8-11");
    }

    @Test
    void otherTermsTakeWholeNodes() {
        cluster.grant(Request.of(1, 8, 10).ready(50));

        assertThat(cluster.refusedField(Request.of(1, 6, 10).ready(50).renegotiate()))
                .isEqualTo("pes");
        cluster.grant(Request.of(1, 4, 10).ready(50).renegotiate());
        assertThat(cluster.peIds(1)).isEqualTo("0-3");
    }

    @Test
    void outagesTakeWholeNodes() {
        assertThat(cluster.refusedField(LiveCluster.outage(1, 2, 5, 10))).isEqualTo("pes");
        assertThat(cluster.refusedField(LiveCluster.outageOf(1, "2-5"))).isEqualTo("peIds");

        assertThat(cluster.lose(LiveCluster.outage(1, 4, 5, 10)).peIds()).hasValue(PeSet.range(12, 16));
        var told = new ReplaceOutages("watch", List.of(told(2, PeSet.range(2, 6)), told(3, PeSet.range(0, 4))));
        cluster.happens(told);
        assertThat(told.present(cluster.schedule()))
                .extracting(outage -> outage.peIds().orElseThrow().toString())
                .containsExactly("0-3");
        assertThat(told.leftOut(cluster.schedule(), 0))
                .extracting(left -> left.why().field())
                .containsExactly("outages[0].peIds");
    }

    private static ToldOutage told(int number, PeSet peIds) {
        return new ToldOutage(
                LiveCluster.outageId(number), peIds, OptionalLong.empty(), OptionalLong.empty(), Optional.empty());
    }

    @Test
    void jobsTakeWholeNodes() {
        var told = new ReplaceJobs(List.of(
                job("half", 2, Optional.empty()),
                job("askew", 4, Optional.of(PeSet.range(2, 6))),
                job("whole", 4, Optional.of(PeSet.range(4, 8)))));
        cluster.happens(told);

        assertThat(told.leftOut(cluster.schedule().cluster(), 0))
                .extracting(left -> left.why().field())
                .containsExactly("jobs[0].pes", "jobs[1].peIds");
        var own = LiveCluster.of(FOURS.jobs(JobIntake.OPEN));
        assertThat(own.refusedField(
                        new SubmitJob(new JobId(new UUID(7, 1)), new AccountName("ada"), Optional.empty(), 6, 10)))
                .isEqualTo("pes");
    }

    private static OutsideJob job(String name, int pes, Optional<PeSet> peIds) {
        return new OutsideJob(name, new AccountName("ada"), pes, 10, 0, OptionalLong.of(0), peIds);
    }

    @Test
    void aNodeStaysAsLargeAsItIs() {
        var other = cluster.schedule().cluster().dividedInto(new Nodes(2, List.of()));
        assertThat(cluster.refusedField(new ChangeCluster(cluster.schedule().cluster(), other)))
                .isEqualTo("granule");

        var named = cluster.schedule().cluster().dividedInto(Nodes.of(4, Optional.of("n[1-4]")));
        assertThat(cluster.happens(new ChangeCluster(cluster.schedule().cluster(), named)))
                .hasSize(1);
    }

    @Test
    void suggestedPesAreWholeNodes() {
        cluster.grant(Request.of(1, 4, 50).start(0));

        var asked = Request.of(2, 16, 20).ready(0).deadline(20).terms();
        var answer = new WouldFit(asked, Request.ADA).ask(cluster.schedule(), 0);

        assertThat(answer.pes().orElseThrow().figure()).isEqualTo(12);
    }

    @Test
    void theMapShowsWholeNodes() {
        var rows = new FreeMap(10, new Slot(0, 10), 10, Request.ADA)
                .ask(LiveCluster.of(SampleCluster.of(3).granule(5)).schedule(), 0);

        assertThat(rows).extracting(Row::pes).containsExactly(5, 10, 15);
        assertThat(rows).allSatisfy(row -> assertThat(row.cells().getFirst()).isPresent());
    }
}
