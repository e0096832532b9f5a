package berth.cluster;

import berth.availability.PeSet;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.time.Slot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A claim that PEs are out of service for some time. Outages may overlap: a PE is out of service as long as any outage claims it.
 *
 * @param id the permanent id
 * @param cluster the cluster that loses the PEs
 * @param pes the number of PEs, at least 1
 * @param peIds the numbers of the PEs; empty if the outage names none
 * @param from the start, in seconds since the epoch
 * @param to the planned end, in seconds since the epoch; empty if the outage lasts until somebody ends it
 * @param reason the operator's note
 * @param source the system that reports the outage repeatedly and stops once it is over; empty if an operator recorded it
 * @param moved the reservations that lost their PEs and got another place
 * @param failed the reservations that lost their PEs and found no other place
 * @param beginsAt when it will begin, in seconds since the epoch; empty once it has begun, and in rows of 0.1.0
 * @param endedAt when it ended, which can be before {@code from}; empty until then
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
        OptionalLong beginsAt,
        OptionalLong endedAt) {

    /** @throws IllegalArgumentException if the outage takes no PEs or no time, or if {@code peIds} does not have {@code pes} members */
    public Outage {
        if (pes < 1 || to.isPresent() && to.getAsLong() <= from) {
            throw new IllegalArgumentException(
                    "Outage %s must take at least 1 PE and end after it begins, but takes %d PEs from %d to %s."
                            .formatted(id, pes, from, to));
        }
        if (peIds.isPresent() && peIds.get().size() != pes) {
            throw new IllegalArgumentException(
                    "Outage %s takes %d PEs, but names the PEs %s.".formatted(id, pes, peIds.get()));
        }
        moved = List.copyOf(moved);
        failed = List.copyOf(failed);
    }

    /** Returns the planned time of the outage. */
    public Slot slot() {
        return new Slot(from, to.orElse(Long.MAX_VALUE));
    }

    /**
     * Returns the numbers of the PEs that the outage takes from a cluster of {@code clusterPes} PEs. A cluster that shrinks may lose PEs
     * that an outage names.
     */
    public Optional<PeSet> peIdsBelow(int clusterPes) {
        return peIds.map(ids -> ids.and(PeSet.range(0, clusterPes)));
    }

    /**
     * Returns how many PEs the outage takes from a cluster of {@code clusterPes} PEs; 0 if the cluster no longer has any of the PEs that
     * the outage names.
     */
    public int pesBelow(int clusterPes) {
        return peIdsBelow(clusterPes).map(PeSet::size).orElse(pes);
    }

    /** Returns the same outage with the reservations that moved and failed because of it. */
    public Outage displacing(List<ReservationId> whoMoved, List<ReservationId> whoFailed) {
        return new Outage(id, cluster, pes, peIds, from, to, reason, source, whoMoved, whoFailed, beginsAt, endedAt);
    }

    /** Returns the same outage after it has begun. */
    public Outage begun() {
        return new Outage(
                id, cluster, pes, peIds, from, to, reason, source, moved, failed, OptionalLong.empty(), endedAt);
    }

    /** Returns when it began, in seconds since the epoch; empty if it has not. */
    public OptionalLong begunAt() {
        return beginsAt.isPresent() ? OptionalLong.empty() : OptionalLong.of(from);
    }

    /** Returns the same outage with the end that it had as the planned one; empty if it was called off before it began. */
    public Optional<Outage> asItWas() {
        long end = Math.min(endedAt.orElse(Long.MAX_VALUE), slot().end());
        return end <= from
                ? Optional.empty()
                : Optional.of(new Outage(
                        id,
                        cluster,
                        pes,
                        peIds,
                        from,
                        end == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(end),
                        reason,
                        source,
                        moved,
                        failed,
                        beginsAt,
                        endedAt));
    }

    /** Returns the same outage, ended at {@code at}, in seconds since the epoch. */
    public Outage ended(long at) {
        return new Outage(
                id, cluster, pes, peIds, from, to, reason, source, moved, failed, beginsAt, OptionalLong.of(at));
    }
}
