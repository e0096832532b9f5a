package berth.store;

import static berth.store.Seconds.instant;
import static berth.store.Seconds.optional;

import berth.availability.PeSet;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** The row of an outage in its present state. */
@Entity
@Table(name = "outage")
@NullUnmarked
public class OutageRow {

    @Id
    UUID id;

    String cluster;
    int pes;

    @Convert(converter = PeSetConverter.class)
    PeSet peIds;

    Instant fromAt;
    Instant toAt;
    String reason;
    String source;
    UUID[] moved;
    UUID[] failed;
    Instant beginsAt;
    Instant endedAt;

    static OutageRow of(Outage outage) {
        var row = new OutageRow();
        row.id = outage.id().value();
        row.cluster = outage.cluster().value();
        row.pes = outage.pes();
        row.peIds = outage.peIds().orElse(null);
        row.fromAt = instant(outage.from());
        row.toAt = instant(outage.to());
        row.reason = outage.reason().orElse(null);
        row.source = outage.source().orElse(null);
        row.moved = uuids(outage.moved());
        row.failed = uuids(outage.failed());
        row.beginsAt = instant(outage.beginsAt());
        row.endedAt = instant(outage.endedAt());
        return row;
    }

    private static UUID[] uuids(List<ReservationId> ids) {
        return ids.stream().map(ReservationId::value).toArray(UUID[]::new);
    }

    private static List<ReservationId> ids(UUID[] uuids) {
        return Arrays.stream(uuids).map(ReservationId::new).toList();
    }

    public Outage toOutage() {
        return outage(optional(beginsAt), optional(endedAt));
    }

    /** Returns the outage as it was recorded at that time; later it can only begin and end. */
    Outage asRecorded(long at) {
        long from = fromAt.getEpochSecond();
        return outage(from <= at ? OptionalLong.empty() : OptionalLong.of(from), OptionalLong.empty());
    }

    /** Returns the outage as it began. */
    Outage asBegun() {
        return outage(OptionalLong.empty(), OptionalLong.empty());
    }

    private Outage outage(OptionalLong begins, OptionalLong end) {
        return new Outage(
                new OutageId(id),
                new ClusterId(cluster),
                pes,
                Optional.ofNullable(peIds),
                fromAt.getEpochSecond(),
                optional(toAt),
                Optional.ofNullable(reason),
                Optional.ofNullable(source),
                ids(moved),
                ids(failed),
                begins,
                end);
    }
}
