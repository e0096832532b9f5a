package berth.experiment.adaptive;

import berth.experiment.Sample;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What the claims are judged by.
 *
 * @param profit by how many percent a setting earns more than another
 * @param completion by how many percent requests that both accept are done sooner
 * @param rejected by how many points of all requests fewer are rejected
 * @param modified the share of the moldable requests on fewer than R^max PEs, in percent
 * @param modification how far they are modified, in percent
 * @param shares of requests that may be split, all of which must come out
 * @param windows how many there are
 */
record Evidence(
        Gain profit,
        Comparison completion,
        Comparison rejected,
        Function<Setting, Sample> modified,
        Function<Setting, Sample> modification,
        List<Share> shares,
        int windows) {

    /** A comparison of two settings, by windows. */
    interface Comparison extends BiFunction<Setting, Setting, Sample> {}

    /** What a setting earns more than another at an incentive, in percent, by windows. */
    interface Gain {
        Sample of(Setting setting, Setting other, int incentive);
    }

    /** Whether there are intervals to judge by. */
    boolean isRepeated() {
        return windows > 1;
    }

    /** Where requests are split with one of the shares only. */
    Evidence with(Share share) {
        return new Evidence(profit, completion, rejected, modified, modification, List.of(share), windows);
    }

    /** With another measure of what is earned. */
    Evidence earning(Gain other) {
        return new Evidence(other, completion, rejected, modified, modification, shares, windows);
    }

    /** With other measures of what clients get. */
    Evidence serving(Comparison otherCompletion, Comparison otherRejected) {
        return new Evidence(profit, otherCompletion, otherRejected, modified, modification, shares, windows);
    }

    /** With other measures of what becomes of moldable requests. */
    Evidence molding(Function<Setting, Sample> otherModified, Function<Setting, Sample> otherModification) {
        return new Evidence(profit, completion, rejected, otherModified, otherModification, shares, windows);
    }
}
