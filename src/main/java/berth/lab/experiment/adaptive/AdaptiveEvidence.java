package berth.lab.experiment.adaptive;

import berth.lab.experiment.Sample;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The evidence by which claims are judged.
 *
 * @param profit by how many percent a setting earns more than another
 * @param completion by how many percent requests that both accept are completed sooner
 * @param rejected how many fewer requests are rejected, in points of all requests
 * @param modified the share of moldable requests on fewer than R^max PEs, in percent
 * @param modification how far they are modified, in percent
 * @param shares the shares of requests that can be split, for all of which a claim must hold
 * @param windows the number of windows
 */
record AdaptiveEvidence(
        Gain profit,
        Comparison completion,
        Comparison rejected,
        Function<AdaptiveSetting, Sample> modified,
        Function<AdaptiveSetting, Sample> modification,
        List<Share> shares,
        int windows) {

    /** A comparison of two settings by window. */
    interface Comparison extends BiFunction<AdaptiveSetting, AdaptiveSetting, Sample> {}

    /** How much more a setting earns than another at an incentive, in percent, by window. */
    interface Gain {
        Sample of(AdaptiveSetting setting, AdaptiveSetting other, int incentive);
    }

    /** Whether there are intervals by which to judge. */
    boolean isRepeated() {
        return windows > 1;
    }

    /** Returns the evidence for one of the shares only. */
    AdaptiveEvidence with(Share share) {
        return new AdaptiveEvidence(profit, completion, rejected, modified, modification, List.of(share), windows);
    }

    /** Returns the evidence with another measure of earnings. */
    AdaptiveEvidence earning(Gain other) {
        return new AdaptiveEvidence(other, completion, rejected, modified, modification, shares, windows);
    }

    /** Returns the evidence with other measures of what clients get. */
    AdaptiveEvidence serving(Comparison otherCompletion, Comparison otherRejected) {
        return new AdaptiveEvidence(profit, otherCompletion, otherRejected, modified, modification, shares, windows);
    }

    /** Returns the evidence with other measures of modification. */
    AdaptiveEvidence molding(
            Function<AdaptiveSetting, Sample> otherModified, Function<AdaptiveSetting, Sample> otherModification) {
        return new AdaptiveEvidence(profit, completion, rejected, otherModified, otherModification, shares, windows);
    }
}
