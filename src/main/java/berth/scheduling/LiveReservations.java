package berth.scheduling;

import berth.cluster.ReplanOrder;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePSet;

/**
 * The live reservations of a cluster, by id and by owner, and those that may be moved in the order in which they are placed
 * anew. A persistent value; lookups and changes take O(log n).
 */
final class LiveReservations {

    private final PMap<ReservationId, Reservation> byId;
    private final PMap<String, PMap<ReservationId, Reservation>> byOwner;
    /** Some may have become final since. */
    private final TreePSet<Reservation> waiting;

    private LiveReservations(
            PMap<ReservationId, Reservation> byId,
            PMap<String, PMap<ReservationId, Reservation>> byOwner,
            TreePSet<Reservation> waiting) {
        this.byId = byId;
        this.byOwner = byOwner;
        this.waiting = waiting;
    }

    /** None; whoever comes waits in this order. */
    static LiveReservations none(ReplanOrder order) {
        return new LiveReservations(HashTreePMap.empty(), HashTreePMap.empty(), TreePSet.empty(inOrder(order)));
    }

    /** The same, waiting in another order. O(n log n). */
    LiveReservations waiting(ReplanOrder order) {
        return new LiveReservations(byId, byOwner, TreePSet.from(inOrder(order), waiting));
    }

    /** An order that lasts; one that does not is that of acceptance here. */
    static Comparator<Reservation> inOrder(ReplanOrder order) {
        var lasting = order.isSteady() ? order : ReplanOrder.FIFO;
        return Comparator.<Reservation>comparingLong(
                        one -> lasting.rank(one.id(), one.terms(), one.status().createdAt(), one.id(), 0))
                .thenComparingLong(one -> one.status().createdAt())
                .thenComparing(one -> one.id().value());
    }

    /** Those that may be moved, in their order; O(n). */
    List<Reservation> waiting(long now) {
        var movable = new ArrayList<Reservation>(waiting.size());
        for (var reservation : waiting) {
            if (reservation.isMovable(now)) {
                movable.add(reservation);
            }
        }
        return movable;
    }

    Optional<Reservation> find(ReservationId id) {
        return Optional.ofNullable(byId.get(id));
    }

    Collection<Reservation> all() {
        return byId.values();
    }

    Collection<Reservation> of(String owner) {
        return byOwner.getOrDefault(owner, HashTreePMap.empty()).values();
    }

    /** With one more, or with another version of one; an owner is for good. */
    LiveReservations plus(Reservation reservation) {
        var owner = reservation.origin().owner();
        var theirs = byOwner.getOrDefault(owner, HashTreePMap.empty());
        var rest = find(reservation.id()).map(this::othersWaiting).orElse(waiting);
        return new LiveReservations(
                byId.plus(reservation.id(), reservation),
                byOwner.plus(owner, theirs.plus(reservation.id(), reservation)),
                mayWait(reservation) ? rest.plus(reservation) : rest);
    }

    /** Without one, which must be there. */
    LiveReservations minus(Reservation reservation) {
        var owner = reservation.origin().owner();
        var rest = byOwner.getOrDefault(owner, HashTreePMap.empty()).minus(reservation.id());
        return new LiveReservations(
                byId.minus(reservation.id()),
                rest.isEmpty() ? byOwner.minus(owner) : byOwner.plus(owner, rest),
                othersWaiting(reservation));
    }

    private TreePSet<Reservation> othersWaiting(Reservation reservation) {
        return mayWait(reservation) ? waiting.minus(reservation) : waiting;
    }

    /** Once it may not be moved it never may without changing. */
    private static boolean mayWait(Reservation reservation) {
        return reservation.isMovable(reservation.status().updatedAt());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LiveReservations that && byId.equals(that.byId);
    }

    @Override
    public int hashCode() {
        return byId.hashCode();
    }

    @Override
    public String toString() {
        return byId.values().toString();
    }
}
