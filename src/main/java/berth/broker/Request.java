package berth.broker;

import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.reservation.Tried;
import berth.scheduling.Preference;
import berth.sla.AccountLimits;
import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a client wants, on whichever cluster.
 *
 * @param id of the reservation that it may become
 * @param limits of the account
 * @param start exactly when, seconds since the epoch; empty: whenever the preference likes best
 * @param hold seconds for which the slot is kept without being confirmed; empty: confirmed at once
 * @param preference which of the slots is the best
 * @param only the one cluster that may be asked; empty: all of them
 */
public record Request(
        ReservationId id,
        Origin origin,
        AccountLimits limits,
        RequestedTerms terms,
        OptionalLong start,
        OptionalLong hold,
        Preference preference,
        Optional<String> only) {

    /** Whether a cluster may be asked. */
    boolean allows(String cluster) {
        return only.isEmpty() || only.get().equals(cluster);
    }

    /** What it would ask a cluster of that rating: with a chosen start, only that one. */
    RequestedTerms terms(BigDecimal rating) {
        return start.isPresent() ? terms.startingAt(start.getAsLong(), rating) : terms;
    }

    /** The same after others were tried. */
    Request after(List<Tried> tried) {
        return new Request(id, origin.after(tried), limits, terms, start, hold, preference, only);
    }
}
