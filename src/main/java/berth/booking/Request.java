package berth.booking;

import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.reservation.TriedCluster;
import berth.scheduling.places.Preference;
import berth.sla.AccountLimits;
import berth.sla.Fixing;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * A request of a client on any cluster.
 *
 * @param id the id of the possible reservation
 * @param limits the account's limits
 * @param start the chosen start, in seconds since the epoch; empty if the preference decides
 * @param hold how long the slot is held without a confirmation, in seconds; empty if it is confirmed at once
 * @param preference which slot is the best
 * @param leeway how far outside the window a slot may lie; empty if it must lie inside
 * @param only the clusters that may be asked; empty for all
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

    /** Returns those of the clusters that may be asked. */
    <T> List<T> among(List<T> clusters, Function<T, ClusterId> id) {
        return clusters.stream()
                .filter(cluster -> only.isEmpty() || only.contains(id.apply(cluster)))
                .toList();
    }

    /** Returns the terms for a cluster with that rating; with a chosen start, only that start. */
    RequestedTerms terms(BigDecimal rating) {
        return terms.at(start, rating);
    }

    /**
     * Returns the terms with which to look for slots on a cluster with that rating. With a chosen start, the window begins there and holds
     * the longest shape; only slots with this start count then ({@link #isAtItsStart}).
     *
     * @param latest the end of the cluster's horizon, in seconds since the epoch
     */
    RequestedTerms probed(BigDecimal rating, long latest) {
        return start.isPresent() ? terms.startingAt(start.getAsLong(), rating, latest) : terms;
    }

    /** Whether a slot begins at the chosen start; true if none is chosen. */
    boolean isAtItsStart(Slot slot) {
        return start.isEmpty() || slot.start() == start.getAsLong();
    }

    /** Returns the same request with the clusters that were tried. */
    Request after(List<TriedCluster> tried) {
        return new Request(id, origin.after(tried), limits, terms, start, hold, preference, leeway, only);
    }

    /** Returns the same request, which a person must approve, because the site's policy wants it. */
    public Request toApprove(String why) {
        return new Request(id, origin.toApprove(why), limits, terms, start, hold, preference, leeway, only);
    }

    /** Returns the same request for a place outside its window. */
    Request at(AlternativePlace place) {
        return new Request(
                id,
                origin.accepting(place.phi()),
                limits,
                place.terms(terms),
                place.start(),
                hold,
                preference,
                leeway,
                only);
    }

    /** Returns the same request with other terms. */
    Request on(RequestedTerms others) {
        return new Request(id, origin, limits, others, start, hold, preference, leeway, only);
    }

    /** Returns the same request, beginning at that time or later. */
    Request from(long time) {
        return on(terms.readyAt(Math.max(time, terms.readyTime().orElse(time))));
    }

    /** Returns the same request for a start that is final at once and held for so many seconds. */
    Request heldAt(long start, long seconds) {
        return finalAt(start, OptionalLong.of(seconds));
    }

    /** Returns the same request for a start that is final and confirmed at once. */
    Request finalAt(long start) {
        return finalAt(start, OptionalLong.empty());
    }

    private Request finalAt(long start, OptionalLong held) {
        return new Request(
                id, origin, limits, terms.fixing(AT_ONCE), OptionalLong.of(start), held, preference, leeway, only);
    }
}
