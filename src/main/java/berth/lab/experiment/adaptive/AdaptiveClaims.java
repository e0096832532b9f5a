package berth.lab.experiment.adaptive;

import berth.lab.experiment.PaperClaim;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The claims of paper 003. "Traditional" means FIFO with rigid requests at the same load. Comparisons are made window by window, without
 * the best and the worst twelfth, as in the paper. The paper contradicts itself on the share of requests that can be split, so a claim must
 * hold for both shares.
 */
final class AdaptiveClaims {
    private AdaptiveClaims() {}

    /** Judges some claims. A single window is not enough to check anything. */
    @SafeVarargs
    static List<PaperClaim> of(AdaptiveEvidence evidence, Function<AdaptiveEvidence, PaperClaim>... claims) {
        return Stream.of(claims).map(claim -> claim.apply(evidence)).toList();
    }

    /** Returns all seven claims in order. If our first wording said more than the paper, the corrected one follows it. */
    static List<PaperClaim> all(AdaptiveEvidence evidence) {
        return of(
                evidence,
                ProfitClaims::normalLoad,
                ProfitClaims::highLoad,
                ClientClaims::sooner,
                ClientClaims::soonerCorrected,
                ClientClaims::fewerRejected,
                ProfitClaims::incentive,
                MoldedClaims::modified,
                MoldedClaims::modification,
                MoldedClaims::modificationCorrected);
    }

    /** Formats a value for short figures. */
    static String tenths(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
