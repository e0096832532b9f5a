package berth.rest;

import berth.availability.PeSet;
import berth.cluster.Nodes;
import berth.cluster.Outage;
import berth.reservation.ReservationId;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An outage.
 *
 * @param id made by the service; null: this one is only tried
 * @param pes how many PEs are out of service
 * @param peIds which; null: no particular ones
 * @param nodes of these PEs, as Slurm writes them; left out where they have no names
 * @param from since when
 * @param to until when, as planned; null: until it is ended
 * @param reason the operator's note
 * @param source who tells of it again and again; null: an operator has recorded it
 * @param endedAt when the PEs came back; null: they have not
 * @param moved the reservations that lost their PEs and were placed anew in their windows
 * @param failed the reservations for which there was no place left
 * @param effects of one that is only tried: what it would do to what is booked; null of all others
 */
record OutageBody(
        @Nullable UUID id,
        int pes,
        @Nullable String peIds,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String nodes,

        Instant from,
        @Nullable Instant to,
        @Nullable String reason,
        @Nullable String source,
        @Nullable Instant endedAt,
        List<UUID> moved,
        List<UUID> failed,
        @Nullable EffectsBody effects) {

    static OutageBody of(Outage outage, Nodes nodes) {
        return of(outage, nodes, outage.id().value(), null);
    }

    /** One that is only tried. */
    static OutageBody tried(Outage outage, Nodes nodes, EffectsBody effects) {
        return of(outage, nodes, null, effects);
    }

    private static OutageBody of(Outage outage, Nodes nodes, @Nullable UUID id, @Nullable EffectsBody effects) {
        return new OutageBody(
                id,
                outage.pes(),
                Texts.orNull(outage.peIds().map(PeSet::toString)),
                Texts.orNull(outage.peIds().flatMap(nodes::list)),
                Texts.instant(outage.from()),
                Texts.instant(outage.to()),
                Texts.orNull(outage.reason()),
                Texts.orNull(outage.source()),
                Texts.instant(outage.endedAt()),
                outage.moved().stream().map(ReservationId::value).toList(),
                outage.failed().stream().map(ReservationId::value).toList(),
                effects);
    }
}
