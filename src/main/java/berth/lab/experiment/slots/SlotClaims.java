package berth.lab.experiment.slots;

import berth.lab.experiment.Check;
import berth.lab.experiment.PaperClaim;
import java.util.List;
import java.util.function.Supplier;

/**
 * The claims of paper 004. Only orders and directions can be checked, because the text contains no numeric results.
 *
 * <p>The text has lost the names of most policies. Two are certain: {@code PE_W} is the best and {@code FF} the quickest. The others follow
 * from what the text says about them. The least certain is that, of the two policies by PEs and duration, {@code PEDU_B} is the one whose
 * acceptance rises steadily.
 */
final class SlotClaims {
    private SlotClaims() {}

    /** Returns the nine claims in order. A single repetition is not enough to check anything. */
    static List<PaperClaim> of(SlotEvidence sizes, SlotEvidence arrivals, SlotEvidence flexibility) {
        return List.of(
                LoadClaims.acceptanceFalls(sizes),
                LoadClaims.pairsAccept(sizes),
                LoadClaims.acceptanceRanks(sizes),
                LoadClaims.slowdownRises(sizes),
                LoadClaims.slowdownRanks(sizes),
                LoadClaims.denser(arrivals),
                FlexibilityClaims.steadiness(flexibility),
                FlexibilityClaims.lead(flexibility),
                FlexibilityClaims.slowdown(flexibility));
    }

    /** Returns a claim without figures of the paper. With a single repetition it has our figures but no basis for a verdict. */
    static PaperClaim claim(
            String id,
            String says,
            String rule,
            SlotEvidence evidence,
            Supplier<List<Check>> checks,
            Supplier<String> ours) {
        return PaperClaim.of(id, says, rule, evidence.isRepeated() ? checks.get() : List.of())
                .with(PaperClaim.NO_FIGURE, ours.get());
    }
}
