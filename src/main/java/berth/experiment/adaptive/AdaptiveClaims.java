package berth.experiment.adaptive;

import berth.experiment.Claim;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The claims of paper 003. "Traditional" is FIFO with rigid requests at the same load. Each comparison is made by windows,
 * and the best and worst twelfth of them are left out, as in the paper. Where the paper contradicts itself in the share of
 * requests that may be split, both shares must hold.
 */
final class AdaptiveClaims {
    private AdaptiveClaims() {}

    /** Judges some claims. With a single window nothing can be checked. */
    @SafeVarargs
    static List<Claim> of(Evidence evidence, Function<Evidence, Claim>... claims) {
        return Stream.of(claims).map(claim -> claim.apply(evidence)).toList();
    }

    /** All seven, in order; where the first wording of one said more than the paper, the corrected one after it. */
    static List<Claim> all(Evidence evidence) {
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

    /** As figures in short have it. */
    static String tenths(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
