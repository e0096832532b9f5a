package berth.experiment.slots;

import berth.experiment.Check;
import berth.experiment.Claim;
import java.util.List;
import java.util.function.Supplier;

/**
 * The claims of paper 004. Only orderings and directions can be checked: no number of its
 * results is in its text.
 *
 * <p>The text has lost the names of most policies. Two are sure, {@code PE_W} as the best and {@code FF} as the quickest;
 * the others follow from what is said of them. That of the two policies by PEs and duration {@code PEDU_B} is the one whose
 * acceptance rises steadily is the weakest of these readings.
 */
final class SlotClaims {
    private SlotClaims() {}

    /** The nine claims, in order. With a single repetition nothing can be checked. */
    static List<Claim> of(Evidence sizes, Evidence arrivals, Evidence flexibility) {
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

    /** A claim without figures of the paper; with a single repetition it has figures of ours, but nothing to judge them by. */
    static Claim claim(
            String id,
            String says,
            String rule,
            Evidence evidence,
            Supplier<List<Check>> checks,
            Supplier<String> ours) {
        return Claim.of(id, says, rule, evidence.isRepeated() ? checks.get() : List.of())
                .with(Claim.NO_FIGURE, ours.get());
    }
}
