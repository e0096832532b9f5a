package berth.rest;

import berth.reservation.TriedCluster;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was tried in vain for a request that named no cluster.
 *
 * @param cluster where
 * @param start of the slot; null where the cluster told of none
 * @param outcome why it was in vain
 * @param detail the same in words
 */
record TriedBody(String cluster, @Nullable Instant start, TriedCluster.Obstacle outcome, String detail) {

    static TriedBody of(TriedCluster tried) {
        return new TriedBody(
                tried.cluster().value(), Texts.instant(tried.start()), tried.outcome(), detail(tried.outcome()));
    }

    private static String detail(TriedCluster.Obstacle outcome) {
        return switch (outcome) {
            case TAKEN -> "Others took the slot first, or its time had come.";
            case OVER_BUDGET -> "The slot had come to cost more than the budget.";
            case UNAVAILABLE -> "The cluster could not be asked, or could not decide.";
        };
    }
}
