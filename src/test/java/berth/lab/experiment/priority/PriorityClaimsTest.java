package berth.lab.experiment.priority;

import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.experiment.Curves;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.Sample;
import berth.lab.experiment.Verdict;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PriorityClaimsTest {

    private final Map<PriorityMeasure, Curves<Order>> curves = new EnumMap<>(PriorityMeasure.class);

    PriorityClaimsTest() {
        set(PriorityMeasure.WAITING, new double[] {10.5, 12.5, 13, 13.4}, new double[] {10, 12, 12.6, 13.2});
        set(PriorityMeasure.OFFSET, new double[] {9, 8, 7, 6}, new double[] {10, 9, 8, 7});
        set(PriorityMeasure.REJECTIONS, new double[] {0, 5, 9, 15}, new double[] {0, 9, 20, 30});
        set(PriorityMeasure.UTILISATION, new double[] {90, 80, 70, 60}, new double[] {88, 78, 70.5, 60.5});
    }

    @Test
    void figuresThatAreAsThePaperSaysReproduceEveryClaim() {
        assertThat(new PriorityClaims(this::of).all())
                .hasSize(7)
                .allSatisfy(claim -> assertThat(claim.verdict())
                        .as("%s %s", claim.id(), claim.failing())
                        .isEqualTo(Verdict.REPRODUCED));
    }

    @Test
    void aWaitingTimeThatRisesEvenlyFailsTheFirstClaim() {
        set(PriorityMeasure.WAITING, new double[] {10, 11, 12, 14}, new double[] {9.5, 10.5, 11.5, 13.8});

        assertThat(failing(0)).contains("DPSAR rises more from 0 to 10 % than to 30 %");
    }

    @Test
    void aMuchLongerWaitFailsTheSecondClaimAndSoDoesAShorterOne() {
        set(PriorityMeasure.WAITING, new double[] {12, 11, 14, 14.1}, new double[] {10, 12, 12.6, 13.2});

        assertThat(failing(1))
                .containsExactly(
                        "jobs wait at most 10 % longer with DPSAR at 0 %",
                        "jobs wait longer with DPSAR at 10 %", "jobs wait at most 10 % longer with DPSAR at 20 %");
    }

    @Test
    void aHigherOffsetFailsTheThirdClaim() {
        set(PriorityMeasure.OFFSET, new double[] {9, 9.5, 7, 6}, new double[] {10, 9, 8, 7});

        assertThat(failing(2)).containsExactly("DPSAR falls from 0 to 10", "DPSAR is below ARWP at 10 %");
    }

    @Test
    void moreRejectionsFailTheFourthClaim() {
        set(PriorityMeasure.REJECTIONS, new double[] {0, 5, 9, 15}, new double[] {0, 9, 20, 14});

        assertThat(failing(3)).containsExactly("ARWP rises from 20 to 30", "DPSAR is below ARWP at 30 %");
    }

    @Test
    void aUtilisationMoreThanAPointBelowFailsTheFifthClaim() {
        set(PriorityMeasure.UTILISATION, new double[] {88, 80, 70, 59}, new double[] {88.5, 78, 70.5, 60.5});

        assertThat(failing(4))
                .containsExactly("DPSAR is above ARWP at 0 %", "DPSAR is at most a point below ARWP at 30 %");
    }

    private List<String> failing(int claim) {
        PaperClaim judged = new PriorityClaims(this::of).all().get(claim);
        return judged.failing().stream().map(check -> check.what()).toList();
    }

    private Curves<Order> of(PriorityMeasure measure) {
        return Objects.requireNonNull(curves.get(measure));
    }

    /** Sets three repetitions close to these means. */
    private void set(PriorityMeasure measure, double[] dpsar, double[] arwp) {
        Map<Order, List<Sample>> lines = new LinkedHashMap<>();
        lines.put(Order.DPSAR, samples(dpsar));
        lines.put(Order.ARWP, samples(arwp));
        curves.put(measure, new Curves<>(List.of("0", "10", "20", "30"), lines));
    }

    private static List<Sample> samples(double[] means) {
        return Arrays.stream(means)
                .mapToObj(mean -> new Sample(List.of(mean - 0.01, mean, mean + 0.01)))
                .toList();
    }
}
