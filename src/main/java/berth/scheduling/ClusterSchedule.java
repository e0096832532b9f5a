package berth.scheduling;

import berth.availability.CapacityProfile;
import berth.reservation.Due;
import berth.reservation.Event;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import java.util.Collection;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePSet;

/**
 * The live reservations of one cluster and the availability they leave. A persistent value: {@link #with} answers
 * another schedule that shares almost everything with this one, so that a snapshot is a reference and a what-if is free
 * to throw away. Safe to read from any thread.
 *
 * <p>Lookups and changes take O(log n) for n live reservations, beside what the availability profile takes.
 */
public final class ClusterSchedule {

    private final Cluster cluster;
    private final CapacityProfile profile;
    private final PMap<ReservationId, Reservation> live;
    private final TreePSet<Due> agenda;

    private ClusterSchedule(
            Cluster cluster, CapacityProfile profile, PMap<ReservationId, Reservation> live, TreePSet<Due> agenda) {
        this.cluster = cluster;
        this.profile = profile;
        this.live = live;
        this.agenda = agenda;
    }

    /** The schedule of a cluster that nobody has reserved. */
    public static ClusterSchedule empty(Cluster cluster) {
        return new ClusterSchedule(cluster, CapacityProfile.of(cluster.pes()), HashTreePMap.empty(), TreePSet.empty());
    }

    /**
     * The schedule that consists of {@code reservations}.
     *
     * @throws IllegalStateException if they are not all live, of this cluster and distinct, or take more PEs than it has
     */
    public static ClusterSchedule of(Cluster cluster, Collection<Reservation> reservations) {
        var schedule = empty(cluster);
        for (var reservation : reservations) {
            if (!reservation.cluster().equals(cluster.id()) || schedule.live.containsKey(reservation.id())) {
                throw new IllegalStateException(
                        "Reservation %s of cluster %s does not belong to the schedule of %s, or is there twice."
                                .formatted(reservation.id(), reservation.cluster(), cluster.id()));
            }
            if (!reservation.state().isLive()) {
                throw new IllegalStateException("Reservation %s is %s and has no place in a schedule."
                        .formatted(reservation.id(), reservation.state()));
            }
            try {
                schedule = schedule.adding(reservation);
            } catch (IllegalStateException e) {
                throw new IllegalStateException(
                        "Reservation %s finds no room on cluster %s.".formatted(reservation.id(), cluster.id()), e);
            }
        }
        return schedule;
    }

    public Cluster cluster() {
        return cluster;
    }

    /** The PEs that are free, over time. */
    public CapacityProfile profile() {
        return profile;
    }

    /** The live reservations, in no particular order. */
    public Collection<Reservation> reservations() {
        return live.values();
    }

    public Optional<Reservation> find(ReservationId id) {
        return Optional.ofNullable(live.get(id));
    }

    /** What the clock will do next. */
    public Optional<Due> nextDue() {
        return agenda.isEmpty() ? Optional.empty() : Optional.of(agenda.first());
    }

    /** The event that {@code due}, which is on the agenda, turns into. */
    Event happens(Due due) {
        return Event.became(find(due.reservation()).orElseThrow(), due.becomes(), due.at());
    }

    /** Decides on a change of state at the owner's request. */
    Decision transition(ReservationId id, ReservationState next, long now) {
        var found = find(id);
        if (found.isEmpty()) {
            return new Decision.Rejected(new Rejection.NotLive(id));
        }
        if (!found.get().state().canBecome(next)) {
            return new Decision.Rejected(new Rejection.WrongState(found.get().state()));
        }
        return Decision.Accepted.of(this, Event.became(found.get(), next, now));
    }

    /**
     * The schedule after {@code event}. This is the only way in which a schedule changes.
     *
     * @throws IllegalStateException if the event's reservation finds no room
     */
    public ClusterSchedule with(Event event) {
        var after = event.reservation();
        var before = live.get(after.id());
        if (before != null
                && before.slot().equals(after.slot())
                && after.state().isLive()) {
            return new ClusterSchedule(
                    cluster,
                    profile,
                    live.plus(after.id(), after),
                    without(before).plus(after.due().orElseThrow()));
        }
        var rest = before == null ? this : removing(before);
        return after.state().isLive() ? rest.adding(after) : rest;
    }

    private ClusterSchedule adding(Reservation reservation) {
        return new ClusterSchedule(
                cluster,
                profile.take(reservation.slot(), reservation.terms().pes()),
                live.plus(reservation.id(), reservation),
                agenda.plus(reservation.due().orElseThrow()));
    }

    private ClusterSchedule removing(Reservation reservation) {
        return new ClusterSchedule(
                cluster,
                profile.giveBack(reservation.slot(), reservation.terms().pes()),
                live.minus(reservation.id()),
                without(reservation));
    }

    private TreePSet<Due> without(Reservation reservation) {
        return agenda.minus(reservation.due().orElseThrow());
    }

    /** Two schedules are equal if the same cluster has the same live reservations; the rest follows from these. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ClusterSchedule that && cluster.equals(that.cluster) && live.equals(that.live);
    }

    @Override
    public int hashCode() {
        return live.hashCode();
    }

    @Override
    public String toString() {
        return "%s: %s".formatted(cluster.id(), live.values());
    }
}
