package berth.clusters;

import berth.availability.PeSet;
import berth.booking.web.EffectsBody;
import berth.cluster.Nodes;
import berth.cluster.Outage;
import berth.http.Texts;
import berth.reservation.ReservationId;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An outage.
 *
 * @param id made by the service; null in the response to a dry run
 * @param moved the reservations that lost their PEs and got another place inside their windows
 * @param failed the reservations that lost their PEs and found no other place
 * @param effects what a dry run found that the outage would do to reservations and jobs; null for a recorded outage
 */
record OutageBody(
        @Nullable UUID id,
        @JsonUnwrapped LostPesBody lost,
        @JsonUnwrapped PeriodBody period,
        List<UUID> moved,
        List<UUID> failed,
        @Nullable EffectsBody effects) {

    /**
     * The PEs of an outage.
     *
     * @param pes the number of PEs that are out of service
     * @param peIds the numbers of these PEs; null if the outage has no particular PEs
     * @param nodes the nodes of these PEs, in Slurm's notation; left out if the PEs have no names
     */
    record LostPesBody(
            int pes,
            @Nullable String peIds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String nodes) {}

    /**
     * The time of an outage, and who reported it.
     *
     * @param from when the outage begins
     * @param to when the outage is planned to end; null if it lasts until it is ended
     * @param reason the operator's note
     * @param source the program that reports the outage; null if an operator recorded it
     * @param begunAt when it began; null until then
     * @param endedAt when it ended; null until then. A PE is back in service once no other outage claims it
     */
    record PeriodBody(
            Instant from,
            @Nullable Instant to,
            @Nullable String reason,
            @Nullable String source,
            @Nullable Instant begunAt,
            @Nullable Instant endedAt) {}

    static OutageBody of(Outage outage, Nodes nodes) {
        return of(outage, nodes, outage.id().value(), null);
    }

    /** Returns the response to a dry run. */
    static OutageBody tried(Outage outage, Nodes nodes, EffectsBody effects) {
        return of(outage, nodes, null, effects);
    }

    private static OutageBody of(Outage outage, Nodes nodes, @Nullable UUID id, @Nullable EffectsBody effects) {
        return new OutageBody(
                id,
                new LostPesBody(
                        outage.pes(),
                        Texts.orNull(outage.peIds().map(PeSet::toString)),
                        Texts.orNull(outage.peIds().flatMap(nodes::list))),
                new PeriodBody(
                        Texts.instant(outage.from()),
                        Texts.instant(outage.to()),
                        Texts.orNull(outage.reason()),
                        Texts.orNull(outage.source()),
                        Texts.instant(outage.begunAt()),
                        Texts.instant(outage.endedAt())),
                outage.moved().stream().map(ReservationId::value).toList(),
                outage.failed().stream().map(ReservationId::value).toList(),
                effects);
    }
}
