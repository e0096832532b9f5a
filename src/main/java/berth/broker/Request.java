package berth.broker;

import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.reservation.TriedCluster;
import berth.scheduling.Preference;
import berth.sla.AccountLimits;
import berth.sla.Fixing;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * What a client wants, on whichever cluster.
 *
 * @param id of the reservation that it may become
 * @param limits of the account
 * @param start exactly when, seconds since the epoch; empty: whenever the preference likes best
 * @param hold seconds for which the slot is kept without being confirmed; empty: confirmed at once
 * @param preference which of the slots is the best
 * @param leeway how far from the window it takes a slot instead; empty: not at all
 * @param only the clusters that may be asked; empty: all of them
 */
public record Request(
        ReservationId id,
        Origin origin,
        AccountLimits limits,
        RequestedTerms terms,
        OptionalLong start,
        OptionalLong hold,
        Preference preference,
        Optional<Leeway> leeway,
        Set<ClusterId> only) {

    private static final Fixing AT_ONCE = new Fixing(Optional.of(BigDecimal.ZERO), OptionalLong.empty());

    /** Those of some clusters that may be asked. */
    <T> List<T> among(List<T> clusters, Function<T, ClusterId> id) {
        return clusters.stream()
                .filter(cluster -> only.isEmpty() || only.contains(id.apply(cluster)))
                .toList();
    }

    /** What it would ask a cluster of that rating: with a chosen start, only that one. */
    RequestedTerms terms(BigDecimal rating) {
        return terms.at(start, rating);
    }

    /** The same after others were tried. */
    Request after(List<TriedCluster> tried) {
        return new Request(id, origin.after(tried), limits, terms, start, hold, preference, leeway, only);
    }

    /** The same for a place outside of its window. */
    Request at(AlternativePlace place) {
        return new Request(
                id,
                origin.accepting(place.phi()),
                limits,
                place.terms(terms),
                OptionalLong.empty(),
                hold,
                preference,
                leeway,
                only);
    }

    /** The same on other terms. */
    Request on(RequestedTerms others) {
        return new Request(id, origin, limits, others, start, hold, preference, leeway, only);
    }

    /** The same, beginning no earlier. */
    Request from(long time) {
        return on(terms.readyAt(Math.max(time, terms.readyTime().orElse(time))));
    }

    /** The same at a start, final from the beginning, and kept for so many seconds without being confirmed. */
    Request heldAt(long start, long seconds) {
        return new Request(
                id,
                origin,
                limits,
                terms.fixing(AT_ONCE),
                OptionalLong.of(start),
                OptionalLong.of(seconds),
                preference,
                leeway,
                only);
    }
}
