package berth.booking;

import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.scheduling.places.Preference;
import berth.sla.AccountLimits;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A collected request without a cluster.
 *
 * @param preference which slot is the best
 * @param only the clusters that may be asked; empty for all
 */
public record CollectedRequest(IntakeRequest request, Preference preference, Set<ClusterId> only) {

    /**
     * Returns the request for the broker when it is its turn. A ready time that has passed means at once.
     *
     * @param limits the account's limits at that time
     * @param now seconds since the epoch
     */
    Request turn(AccountLimits limits, long now) {
        var terms = request.terms();
        return new Request(
                request.id(),
                request.granting(),
                limits,
                terms.readyTime().orElse(now) < now ? terms.readyAt(now) : terms,
                request.start(),
                OptionalLong.empty(),
                preference,
                request.leeway(),
                only);
    }

    CollectedRequest with(IntakeRequest changed) {
        return new CollectedRequest(changed, preference, only);
    }
}
