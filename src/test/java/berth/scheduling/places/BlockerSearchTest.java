package berth.scheduling.places;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.scheduling.LiveCluster;
import berth.scheduling.Rejection;
import berth.scheduling.Request;
import berth.scheduling.SampleCluster;
import berth.scheduling.places.BlockerSearch.Answer;
import berth.scheduling.places.BlockerSearch.Candidate;
import berth.sla.Violation;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockerSearchTest {

    private final LiveCluster cluster =
            LiveCluster.of(SampleCluster.of(8).juggling(Juggling.ON_CONFLICT, ReplanOrder.EARLIEST_DEADLINE_FIRST));
    private final Request request = Request.of(9, 8, 10).ready(100).deadline(110);

    @Test
    void namesReservationsWhoseLooserDeadlineMakesRoomByPhi() {
        // either must run after the request, and 1 is the longer one
        cluster.grant(Request.of(1, 8, 20).ready(90).deadline(110));

        assertThat(ask(request, 9))
                .isEqualTo(new Answer.Candidates(
                        List.of(new Candidate(Request.id(1), 130, new BigDecimal("1.000000"))), false));
    }

    @Test
    void namesNoReservationIfOneChangeIsNotEnough() {
        cluster.grant(Request.of(1, 4, 10).ready(100).deadline(110));
        cluster.grant(Request.of(2, 4, 10).ready(100).deadline(110));

        assertThat(ask(request, 9)).isEqualTo(new Answer.Candidates(List.of(), false));
        assertThat(ask(request.pes(4), 9))
                .isEqualTo(new Answer.Candidates(
                        List.of(
                                new Candidate(Request.id(1), 120, new BigDecimal("1.000000")),
                                new Candidate(Request.id(2), 120, new BigDecimal("1.000000"))),
                        false));
        assertThat(ask(request.pes(4), 1))
                .isEqualTo(new Answer.Candidates(
                        List.of(new Candidate(Request.id(1), 120, new BigDecimal("1.000000"))), true));
    }

    @Test
    void leavesOutReservationsWithAFinalPlace() {
        cluster.grant(Request.of(1, 8, 20).ready(90).deadline(110).fixAfter("0"));

        assertThat(ask(request, 9)).isEqualTo(new Answer.Candidates(List.of(), false));
    }

    @Test
    void theRequestFitsAfterTheNamedChange() {
        cluster.grant(Request.of(1, 8, 20).ready(90).deadline(110));
        var candidate = ((Answer.Candidates) ask(request, 9)).candidates().getFirst();

        cluster.grant(Request.like(cluster.find(candidate.reservation()))
                .deadline(candidate.deadline())
                .renegotiate());

        cluster.happens(request.reserve());
        assertThat(cluster.find(Request.id(9)).slot().start()).isEqualTo(100);
        assertThat(cluster.find(Request.id(1)).slot().end()).isEqualTo(130);
    }

    @Test
    void saysWhetherARequestFitsAnywayOrNever() {
        assertThat(ask(request, 9)).isEqualTo(new Answer.Fits());
        assertThat(ask(request.pes(9), 9))
                .isEqualTo(new Answer.Refused(new Rejection.NeverFits(
                        new Violation("pes", "exceeds the 8 PEs of the cluster that can be reserved", 9.0 / 8))));
    }

    private Answer ask(Request asked, int limit) {
        var before = cluster.schedule();
        var answer = new BlockerSearch(asked.terms(), Request.ADA, limit).ask(before, cluster.now());
        assertThat(cluster.schedule()).isEqualTo(before);
        return answer;
    }
}
