package berth.scheduling;

import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import java.util.Collection;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/** The live reservations of a cluster, by id and by owner. A persistent value; lookups and changes take O(log n). */
final class LiveReservations {

    static final LiveReservations NONE = new LiveReservations(HashTreePMap.empty(), HashTreePMap.empty());

    private final PMap<ReservationId, Reservation> byId;
    private final PMap<AccountName, PMap<ReservationId, Reservation>> byOwner;

    private LiveReservations(
            PMap<ReservationId, Reservation> byId, PMap<AccountName, PMap<ReservationId, Reservation>> byOwner) {
        this.byId = byId;
        this.byOwner = byOwner;
    }

    Optional<Reservation> find(ReservationId id) {
        return Optional.ofNullable(byId.get(id));
    }

    Collection<Reservation> all() {
        return byId.values();
    }

    /** Whose they are. */
    Collection<AccountName> owners() {
        return byOwner.keySet();
    }

    Collection<Reservation> of(AccountName owner) {
        return byOwner.getOrDefault(owner, HashTreePMap.empty()).values();
    }

    /** With one more, or with another version of one; an owner is for good. */
    LiveReservations plus(Reservation reservation) {
        var owner = reservation.origin().owner();
        var theirs = byOwner.getOrDefault(owner, HashTreePMap.empty());
        return new LiveReservations(
                byId.plus(reservation.id(), reservation),
                byOwner.plus(owner, theirs.plus(reservation.id(), reservation)));
    }

    /** Without one, which must be there. */
    LiveReservations minus(Reservation reservation) {
        var owner = reservation.origin().owner();
        var rest = byOwner.getOrDefault(owner, HashTreePMap.empty()).minus(reservation.id());
        return new LiveReservations(
                byId.minus(reservation.id()), rest.isEmpty() ? byOwner.minus(owner) : byOwner.plus(owner, rest));
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
