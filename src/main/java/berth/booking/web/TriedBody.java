package berth.booking.web;

import berth.http.Texts;
import berth.reservation.TriedCluster;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A slot that Berth tried without success for a request that named no cluster.
 *
 * @param cluster the cluster
 * @param start the start of the slot; null if the cluster reported none
 * @param outcome why the slot was not reserved
 * @param detail the reason in words
 */
record TriedBody(String cluster, @Nullable Instant start, TriedCluster.Obstacle outcome, String detail) {

    static TriedBody of(TriedCluster tried) {
        return new TriedBody(
                tried.cluster().value(), Texts.instant(tried.start()), tried.outcome(), detail(tried.outcome()));
    }

    private static String detail(TriedCluster.Obstacle outcome) {
        return switch (outcome) {
            case TAKEN -> "Another request took the slot first, or its start had passed.";
            case OVER_BUDGET -> "The price of the slot had risen above the budget.";
            case UNAVAILABLE -> "The cluster could not be reached, or could not decide.";
        };
    }
}
