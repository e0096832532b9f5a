package berth.cluster;

import berth.availability.PeSet;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * PEs that are out of service for a time.
 *
 * @param id names it for good
 * @param cluster whose PEs they are
 * @param pes how many, at least 1
 * @param peIds which; empty: no particular ones
 * @param from since when, seconds since the epoch
 * @param to until when, as planned; empty: until it is ended
 * @param reason what the operator noted
 * @param source who tells of it again and again, and no longer once it is over; empty: an operator has recorded it
 * @param moved the reservations that lost their PEs and were placed anew
 * @param failed those for which there was no place left
 * @param endedAt when the PEs came back, which may be before the outage was to begin; empty: they have not
 */
public record Outage(
        OutageId id,
        ClusterId cluster,
        int pes,
        Optional<PeSet> peIds,
        long from,
        OptionalLong to,
        Optional<String> reason,
        Optional<String> source,
        List<ReservationId> moved,
        List<ReservationId> failed,
        OptionalLong endedAt) {

    /** @throws IllegalArgumentException if it takes no PEs or no time, or names more or fewer PEs than it takes */
    public Outage {
        if (pes < 1 || to.isPresent() && to.getAsLong() <= from) {
            throw new IllegalArgumentException("Outage %s takes %d PEs from %d to %s.".formatted(id, pes, from, to));
        }
        if (peIds.isPresent() && peIds.get().size() != pes) {
            throw new IllegalArgumentException("Outage %s takes %d PEs and names %s.".formatted(id, pes, peIds.get()));
        }
        moved = List.copyOf(moved);
        failed = List.copyOf(failed);
    }

    /** The time for which the PEs are out of service, as planned. */
    public Slot slot() {
        return new Slot(from, to.orElse(Long.MAX_VALUE));
    }

    /** Which PEs it takes of a cluster of {@code clusterPes}: a cluster may lose PEs that an outage names. */
    public Optional<PeSet> peIdsBelow(int clusterPes) {
        return peIds.map(ids -> ids.and(PeSet.range(0, clusterPes)));
    }

    /** How many PEs it takes of a cluster of that size; 0 if all that it names are gone. */
    public int pesBelow(int clusterPes) {
        return peIdsBelow(clusterPes).map(PeSet::size).orElse(pes);
    }

    /** The same outage, with what has become of those that lost their PEs. */
    public Outage displacing(List<ReservationId> whoMoved, List<ReservationId> whoFailed) {
        return new Outage(id, cluster, pes, peIds, from, to, reason, source, whoMoved, whoFailed, endedAt);
    }

    /** The same outage, over since {@code at}. */
    public Outage ended(long at) {
        return new Outage(id, cluster, pes, peIds, from, to, reason, source, moved, failed, OptionalLong.of(at));
    }
}
