package berth.broker;

import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.scheduling.Preference;
import berth.sla.AccountLimits;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A collected request without a cluster.
 *
 * @param preference which of the slots is the best
 * @param only the clusters that may be asked; empty: all of them
 */
public record CollectedRequest(IntakeRequest request, Preference preference, Set<ClusterId> only) {

    /**
     * What it asks the broker for when it is its turn. Its window has gone on while it waited: a ready time that has passed
     * means at once.
     *
     * @param limits of the account at that time
     * @param now seconds since the epoch
     */
    Request turn(AccountLimits limits, long now) {
        var terms = request.terms();
        return new Request(
                request.id(),
                request.origin(),
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
