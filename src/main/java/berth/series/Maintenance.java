package berth.series;

import berth.availability.PeSet;
import berth.cluster.OutageId;
import berth.reservation.ClusterId;
import berth.series.Series.Planned;
import berth.series.Series.Recurrence;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A recurring outage: PEs are out of service on many days, and each outage is recorded before the horizon reaches it. Immutable.
 *
 * @param id the permanent id, a UUID of version 7
 * @param cluster the cluster that loses the PEs
 * @param downtime the PEs that each window takes out of service, and for how long
 * @param recurrence the recurrence as requested
 * @param planned all windows in order of time, on different days
 * @param recorded how many windows, from the first, are recorded as outages
 * @param createdAt seconds since the epoch
 */
public record Maintenance(
        UUID id,
        ClusterId cluster,
        Downtime downtime,
        Recurrence recurrence,
        List<Planned> planned,
        int recorded,
        long createdAt) {

    /**
     * PEs that are out of service for some time.
     *
     * @param pes the number of PEs, at least 1
     * @param peIds the numbers of the PEs; empty if it names none
     * @param duration the length in seconds, at least 1
     * @param reason the operator's note
     */
    public record Downtime(int pes, Optional<PeSet> peIds, long duration, Optional<String> reason) {}

    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
    private static final int VARIANT_BITS = 2;

    public Maintenance {
        planned = List.copyOf(planned);
    }

    /**
     * Returns the id of a window's outage. It is always the same, so no window is recorded twice, and has the time of this maintenance, so
     * that lists show it in the right position.
     */
    public OutageId outage(Planned window) {
        long day = id.getLeastSignificantBits() + SPREAD * (1 + window.date().toEpochDay());
        return new OutageId(new UUID(id.getMostSignificantBits(), Long.MIN_VALUE | day >>> VARIANT_BITS));
    }

    /** Returns how many windows, from the first, begin before {@code time}, in seconds since the epoch. */
    int before(long time) {
        return (int) planned.stream().takeWhile(window -> window.start() < time).count();
    }

    /** Returns the maintenance after its next window was recorded. */
    Maintenance recordedNext() {
        return with(planned, recorded + 1);
    }

    /** Returns the maintenance without the windows that are not recorded yet. */
    Maintenance calledOff() {
        return with(planned.subList(0, recorded), recorded);
    }

    private Maintenance with(List<Planned> windows, int number) {
        return new Maintenance(id, cluster, downtime, recurrence, windows, number, createdAt);
    }
}
