package berth.rest;

import berth.availability.PeSet;
import berth.cluster.Outage;
import berth.reservation.ReservationId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An outage.
 *
 * @param id made by the service
 * @param pes how many PEs are out of service
 * @param peIds which; null: no particular ones
 * @param from since when
 * @param to until when, as planned; null: until it is ended
 * @param reason the operator's note
 * @param endedAt when the PEs came back; null: they have not
 * @param moved the reservations that lost their PEs and were placed anew in their windows
 * @param failed the reservations for which there was no place left
 */
record OutageBody(
        UUID id,
        int pes,
        @Nullable String peIds,
        Instant from,
        @Nullable Instant to,
        @Nullable String reason,
        @Nullable Instant endedAt,
        List<UUID> moved,
        List<UUID> failed) {

    static OutageBody of(Outage outage) {
        return new OutageBody(
                outage.id().value(),
                outage.pes(),
                Texts.orNull(outage.peIds().map(PeSet::toString)),
                Texts.instant(outage.from()),
                Texts.instant(outage.to()),
                Texts.orNull(outage.reason()),
                Texts.instant(outage.endedAt()),
                outage.moved().stream().map(ReservationId::value).toList(),
                outage.failed().stream().map(ReservationId::value).toList());
    }
}
