package berth.scheduling;

import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePSet;

/**
 * The live reservations of a cluster, by id and by owner, the order in which they are extended, and those that lack PEs. Immutable;
 * lookups and changes take O(log n).
 */
public final class LiveReservations {

    private static final Comparator<Extension> SOONEST_FIRST = Comparator.comparingLong(Extension::at)
            .thenComparing(extension -> extension.id().value());

    static final LiveReservations NONE = new LiveReservations(
            HashTreePMap.empty(), HashTreePMap.empty(), TreePSet.empty(SOONEST_FIRST), HashTreePMap.empty());

    private final PMap<ReservationId, Reservation> byId;
    private final PMap<AccountName, PMap<ReservationId, Reservation>> byOwner;
    private final TreePSet<Extension> extensions;
    private final PMap<ReservationId, Reservation> lacking;

    /** A run that is due for extension at a time, in seconds since the epoch. */
    private record Extension(long at, ReservationId id) {}

    private LiveReservations(
            PMap<ReservationId, Reservation> byId,
            PMap<AccountName, PMap<ReservationId, Reservation>> byOwner,
            TreePSet<Extension> extensions,
            PMap<ReservationId, Reservation> lacking) {
        this.byId = byId;
        this.byOwner = byOwner;
        this.extensions = extensions;
        this.lacking = lacking;
    }

    Optional<Reservation> find(ReservationId id) {
        return Optional.ofNullable(byId.get(id));
    }

    Collection<Reservation> all() {
        return byId.values();
    }

    /** Returns the owners. */
    Collection<AccountName> owners() {
        return byOwner.keySet();
    }

    Collection<Reservation> of(AccountName owner) {
        return byOwner.getOrDefault(owner, HashTreePMap.empty()).values();
    }

    /** Returns the first {@code most} reservations that are due for extension. */
    List<ReservationId> dueForExtension(long now, int most) {
        return extensions.stream()
                .takeWhile(extension -> extension.at() <= now)
                .limit(most)
                .map(Extension::id)
                .toList();
    }

    /** Returns the reservations that lack PEs, or are to lose some. */
    public Collection<Reservation> lacking() {
        return lacking.values();
    }

    /** Returns this with a new or changed reservation. */
    LiveReservations plus(Reservation reservation) {
        var former = find(reservation.id())
                .filter(before ->
                        !before.origin().owner().equals(reservation.origin().owner()));
        if (former.isPresent()) {
            return minus(former.get()).plus(reservation);
        }
        var owner = reservation.origin().owner();
        var theirs = byOwner.getOrDefault(owner, HashTreePMap.empty());
        var others = find(reservation.id()).map(this::extensionsBeside).orElse(extensions);
        return new LiveReservations(
                byId.plus(reservation.id(), reservation),
                byOwner.plus(owner, theirs.plus(reservation.id(), reservation)),
                extensionOf(reservation).map(others::plus).orElse(others),
                reservation.placement().losses().lacks().isEmpty()
                        ? lacking.minus(reservation.id())
                        : lacking.plus(reservation.id(), reservation));
    }

    /** Returns this without a reservation, which must be present. */
    LiveReservations minus(Reservation reservation) {
        var owner = reservation.origin().owner();
        var rest = byOwner.getOrDefault(owner, HashTreePMap.empty()).minus(reservation.id());
        return new LiveReservations(
                byId.minus(reservation.id()),
                rest.isEmpty() ? byOwner.minus(owner) : byOwner.plus(owner, rest),
                extensionsBeside(reservation),
                lacking.minus(reservation.id()));
    }

    private TreePSet<Extension> extensionsBeside(Reservation reservation) {
        return extensionOf(reservation).map(extensions::minus).orElse(extensions);
    }

    private static Optional<Extension> extensionOf(Reservation reservation) {
        var at = reservation.extensionDueAt();
        return at.isPresent() ? Optional.of(new Extension(at.getAsLong(), reservation.id())) : Optional.empty();
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
