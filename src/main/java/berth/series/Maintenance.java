package berth.series;

import berth.availability.PeSet;
import berth.cluster.OutageId;
import berth.reservation.ClusterId;
import berth.series.Series.Planned;
import berth.series.Series.Recurrence;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * PEs that are out of service again and again: an outage on many days, each of which is recorded before the horizon reaches it. A value.
 *
 * @param id names it for good; a UUID of version 7
 * @param cluster whose PEs they are
 * @param pes how many, at least 1
 * @param peIds which; empty: no particular ones
 * @param duration seconds that each window takes, at least 1
 * @param reason what the operator noted
 * @param recurrence on which days, as it was asked for
 * @param planned all windows, in the order of time, on different days
 * @param recorded how many of them are recorded as outages: the first ones
 * @param refused days of those that could not be
 * @param createdAt seconds since the epoch
 */
public record Maintenance(
        UUID id,
        ClusterId cluster,
        int pes,
        Optional<PeSet> peIds,
        long duration,
        Optional<String> reason,
        Recurrence recurrence,
        List<Planned> planned,
        int recorded,
        List<LocalDate> refused,
        long createdAt) {

    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
    private static final int VARIANT_BITS = 2;

    public Maintenance {
        planned = List.copyOf(planned);
        refused = List.copyOf(refused);
    }

    /** The outage of a window: always the same, so that none is recorded twice, and as old as this, so that lists have it where it belongs. */
    public OutageId outage(Planned window) {
        long day = id.getLeastSignificantBits() + SPREAD * (1 + window.date().toEpochDay());
        return new OutageId(new UUID(id.getMostSignificantBits(), Long.MIN_VALUE | day >>> VARIANT_BITS));
    }

    /** How many of the first windows begin before then, seconds since the epoch. */
    int before(long time) {
        return (int) planned.stream().takeWhile(window -> window.start() < time).count();
    }

    /** One more is recorded. */
    Maintenance recordedNext() {
        return with(planned, recorded + 1, refused);
    }

    /** The next one could not be. */
    Maintenance refusedNext() {
        var dates = Stream.concat(
                        refused.stream(), Stream.of(planned.get(recorded).date()))
                .toList();
        return with(planned, recorded + 1, dates);
    }

    /** It has no window any more beside those that are recorded. */
    Maintenance calledOff() {
        return with(planned.subList(0, recorded), recorded, refused);
    }

    private Maintenance with(List<Planned> windows, int number, List<LocalDate> not) {
        return new Maintenance(id, cluster, pes, peIds, duration, reason, recurrence, windows, number, not, createdAt);
    }
}
