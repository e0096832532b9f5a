package berth.lab.experiment.slots;

import static berth.lab.experiment.Verdict.NOT_CHECKABLE;
import static berth.lab.experiment.Verdict.NOT_REPRODUCED;
import static berth.lab.experiment.Verdict.PARTLY;
import static berth.lab.experiment.Verdict.REPRODUCED;
import static berth.lab.experiment.slots.SlotPolicy.DU_B;
import static berth.lab.experiment.slots.SlotPolicy.DU_W;
import static berth.lab.experiment.slots.SlotPolicy.FF;
import static berth.lab.experiment.slots.SlotPolicy.PEDU_B;
import static berth.lab.experiment.slots.SlotPolicy.PEDU_W;
import static berth.lab.experiment.slots.SlotPolicy.PE_B;
import static berth.lab.experiment.slots.SlotPolicy.PE_W;
import static org.assertj.core.api.Assertions.assertThat;

import berth.lab.experiment.Curves;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.Sample;
import berth.lab.experiment.Verdict;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Judges curves of the paper's shape, made by hand, and curves that deviate from it. */
class SlotClaimsTest {
    private final Map<SlotPolicy, double[]> accepted = new EnumMap<>(Map.of(
            FF, new double[] {90, 80, 70, 60, 50},
            PE_B, new double[] {89, 79, 69, 59, 49},
            DU_W, new double[] {89.2, 79.2, 69.2, 59.2, 49.2},
            PEDU_B, new double[] {92, 82, 72, 62, 52},
            PEDU_W, new double[] {92.3, 82.3, 72.3, 62.3, 52.3},
            PE_W, new double[] {95, 85, 75, 65, 55},
            DU_B, new double[] {94.5, 84.5, 74.5, 64.5, 54.5}));
    private final Map<SlotPolicy, double[]> waited = new EnumMap<>(Map.of(
            FF, new double[] {1.2, 1.3, 1.4, 1.5, 1.6},
            PE_B, new double[] {1.6, 1.7, 1.8, 1.9, 2.0},
            DU_W, new double[] {1.62, 1.72, 1.82, 1.92, 2.02},
            PEDU_B, new double[] {1.4, 1.5, 1.6, 1.7, 1.8},
            PEDU_W, new double[] {1.7, 1.8, 1.9, 2.0, 2.1},
            PE_W, new double[] {1.5, 1.6, 1.7, 1.8, 1.9},
            DU_B, new double[] {1.51, 1.61, 1.71, 1.81, 1.91}));
    private final Map<SlotPolicy, double[]> flexible = new EnumMap<>(Map.of(
            FF, new double[] {60, 62, 66, 66.5, 72},
            PE_B, new double[] {59, 61, 65, 64, 70},
            DU_W, new double[] {59, 61, 65, 65.5, 71},
            PEDU_B, new double[] {62, 65, 68, 71.1, 74},
            PEDU_W, new double[] {62, 64, 68, 68.4, 74},
            PE_W, new double[] {65, 69, 73, 77, 81},
            DU_B, new double[] {64.9, 68, 71.1, 74, 77}));
    private final Map<SlotPolicy, double[]> waitedFlexibly = new EnumMap<>(waited);

    @Test
    void reproducesEveryClaimFromCurvesOfThePapersShape() {
        assertThat(claims()).extracting(PaperClaim::verdict).containsOnly(REPRODUCED);
        assertThat(claims())
                .extracting(PaperClaim::id)
                .containsExactly(
                        "004-C1", "004-C2", "004-C3", "004-C4", "004-C5", "004-C6", "004-C7", "004-C8", "004-C9");
    }

    @Test
    void reproducesNothingFromCurvesThatGoTheOtherWay() {
        for (var curves : List.of(accepted, waited, flexible, waitedFlexibly)) {
            curves.replaceAll((_, means) -> reversed(means));
        }

        assertThat(verdict("004-C1")).isEqualTo(NOT_REPRODUCED);
        assertThat(verdict("004-C4")).isEqualTo(NOT_REPRODUCED);
        assertThat(verdict("004-C6")).isEqualTo(PARTLY);
        assertThat(verdict("004-C9")).isEqualTo(NOT_REPRODUCED);
    }

    @Test
    void findsAStepThatRisesWhereAcceptanceShouldFall() {
        accepted.put(DU_W, new double[] {89, 78.9, 79.0, 59, 49});

        assertThat(verdict("004-C1")).isEqualTo(PARTLY);
        assertThat(failing("004-C1")).containsExactly("DU_W falls from 6 to 7");
    }

    @Test
    void separatesPairsThatDifferByMoreThanAPoint() {
        accepted.put(PEDU_W, new double[] {92, 82, 72, 62, 53.1});

        assertThat(verdict("004-C2")).isEqualTo(PARTLY);
        assertThat(failing("004-C2")).containsExactly("PEDU_B and PEDU_W are alike at 9");
    }

    @Test
    void detectsWhichPoliciesAcceptMost() {
        accepted.put(FF, new double[] {96, 86, 76, 66, 56});

        assertThat(verdict("004-C3")).isEqualTo(NOT_REPRODUCED);
        assertThat(failing("004-C3"))
                .contains("PE_W and DU_B accept most at 5", "PEDU_B accepts more than FF at 9")
                .doesNotContain("PE_B accepts no more than FF at 5");
    }

    @Test
    void requiresTheBestPolicyToBeMuchBetterThanFirstFit() {
        accepted.put(PE_W, new double[] {95, 85, 75, 65, 51.9});
        accepted.put(DU_B, new double[] {95, 85, 75, 65, 51.9});
        accepted.put(PEDU_B, new double[] {92, 82, 72, 62, 51});
        accepted.put(PEDU_W, new double[] {92, 82, 72, 62, 51});

        assertThat(failing("004-C3"))
                .containsExactly("PE_W accepts much more than FF at 9", "DU_B accepts much more than FF at 9");
    }

    @Test
    void detectsThatFirstFitIsNotTheQuickest() {
        waited.put(PE_W, new double[] {1.2, 1.3, 1.4, 1.5, 1.6});
        waited.put(DU_B, new double[] {1.2, 1.3, 1.4, 1.5, 1.6});

        assertThat(verdict("004-C5")).isEqualTo(PARTLY);
        assertThat(failing("004-C5")).hasSize(5).allMatch(check -> check.startsWith("FF has the lowest slowdown"));
    }

    @Test
    void requiresThePoliciesByPesAndDurationToWaitDifferently() {
        waited.put(PEDU_W, waited.get(PEDU_B));

        assertThat(failing("004-C5")).hasSize(5).allMatch(check -> check.startsWith("PEDU_B and PEDU_W differ"));
    }

    @Test
    void requiresTheOtherCurvesToRiseUnsteadily() {
        flexible.put(FF, new double[] {60, 63, 66, 69, 72});
        flexible.put(PE_B, new double[] {59, 69, 70, 71, 73});

        assertThat(verdict("004-C7")).isEqualTo(PARTLY);
        assertThat(failing("004-C7"))
                .contains("FF rises unsteadily", "PE_B bends most at the fourth pair")
                .doesNotContain("PE_B rises unsteadily");
    }

    @Test
    void requiresTheLeadToGrow() {
        flexible.put(DU_B, new double[] {61, 65, 70, 76, 80.5});

        assertThat(failing("004-C8")).containsExactly("the lead of PE_W over DU_B grows");
    }

    @Test
    void summarisesTheCurvesOfEachClaim() {
        assertThat(claims().stream().map(PaperClaim::ours))
                .containsExactly(
                        "PE_W 95.0 to 55.0, FF 90.0 to 50.0",
                        "at most PE_W and DU_B 0.5 points, PEDU_B and PEDU_W 0.3 points, PE_B and DU_W 0.2 points",
                        "points above FF at 7: PE_W +5.0, DU_B +4.5, PEDU_B +2.0, PEDU_W +2.3, PE_B -1.0, DU_W -0.8",
                        "PE_W 1.50 to 1.90, FF 1.20 to 1.60",
                        "at 7: FF 1.40, PE_B 1.80, DU_W 1.82, PEDU_W 1.90, PEDU_B 1.60, PE_W 1.70, DU_B 1.71",
                        "accepted: PE_W 95.0 to 55.0, FF 90.0 to 50.0; slowdown: PE_W 1.50 to 1.90, FF 1.20 to 1.60",
                        "PE_W 65.0 to 81.0, DU_B 64.9 to 77.0, PEDU_B 62.0 to 74.0, FF 60.0 to 72.0",
                        "PE_W − DU_B: +0.10, +1.00, +1.90, +3.00, +4.00 points",
                        "PE_W 1.50 to 1.90, FF 1.20 to 1.60");
    }

    @Test
    void checksNothingByASingleRepetition() {
        var once = new SlotEvidence(curves(accepted, SlotSweep.SIZES, 0), curves(waited, SlotSweep.SIZES, 0));

        assertThat(SlotClaims.of(once, once, once))
                .extracting(PaperClaim::verdict)
                .containsOnly(NOT_CHECKABLE);
    }

    private List<PaperClaim> claims() {
        return SlotClaims.of(
                new SlotEvidence(
                        curves(accepted, SlotSweep.SIZES, -0.05, 0, 0.05),
                        curves(waited, SlotSweep.SIZES, -0.005, 0, 0.005)),
                new SlotEvidence(
                        curves(accepted, SlotSweep.ARRIVALS, -0.05, 0, 0.05),
                        curves(waited, SlotSweep.ARRIVALS, -0.005, 0, 0.005)),
                new SlotEvidence(
                        curves(flexible, SlotSweep.FLEXIBILITY, -0.05, 0, 0.05),
                        curves(waitedFlexibly, SlotSweep.FLEXIBILITY, -0.005, 0, 0.005)));
    }

    private Verdict verdict(String id) {
        return claim(id).verdict();
    }

    private List<String> failing(String id) {
        return claim(id).failing().stream().map(check -> check.what()).toList();
    }

    private PaperClaim claim(String id) {
        return claims().stream()
                .filter(claim -> claim.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** Returns means with the same deviations in every line, so that paired differences have none. */
    private static Curves<SlotPolicy> curves(Map<SlotPolicy, double[]> means, SlotSweep sweep, double... deviations) {
        Map<SlotPolicy, List<Sample>> lines = new EnumMap<>(SlotPolicy.class);
        means.forEach((policy, line) -> lines.put(
                policy,
                Arrays.stream(line)
                        .mapToObj(mean -> new Sample(Arrays.stream(deviations)
                                .mapToObj(each -> mean + each)
                                .toList()))
                        .toList()));
        return new Curves<>(
                sweep.settings(Pairs.EQUAL).stream().map(sweep::point).toList(), lines);
    }

    private static double[] reversed(double[] means) {
        double[] reversed = new double[means.length];
        for (int i = 0; i < means.length; i++) {
            reversed[i] = means[means.length - 1 - i];
        }
        return reversed;
    }
}
