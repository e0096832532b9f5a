package berth.rest;

import berth.cluster.Admission;
import berth.cluster.Outage;
import berth.desk.Records.RecordedEvent;
import berth.reservation.EndReason;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Event.OutageEvent;
import berth.scheduling.Event.ReservationEvent;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event as the contract writes it.
 *
 * @param reservation whom it concerns; null if it concerns the cluster as a whole
 * @param type what happened, such as {@code confirmed} or {@code outage-recorded}
 * @param data the reservation, the cluster or the outage as it was after it
 */
record EventBody(long sequence, String cluster, @Nullable UUID reservation, String type, Instant at, DataBody data) {

    /** What the event is about, as it was after it. */
    sealed interface DataBody {}

    record ReservationDataBody(
            ReservationState state,
            @Nullable EndReason reason,
            TermsBody terms,
            ReservationBody.PlacementBody placement,
            Instant fixedAt,
            @Nullable Instant holdExpiresAt,
            @Nullable Instant claimBy,
            MoneyBody price,
            @Nullable MoneyBody credit)
            implements DataBody {}

    record ClusterDataBody(int version, int pes, Admission admission) implements DataBody {}

    record OutageDataBody(
            UUID outage,
            int pes,
            Instant from,
            @Nullable Instant to,
            @Nullable Instant endedAt) implements DataBody {}

    static EventBody of(RecordedEvent recorded) {
        var event = recorded.event();
        var type = event.type().name().toLowerCase(Locale.ROOT).replace('_', '-');
        return new EventBody(
                recorded.sequence(),
                recorded.cluster(),
                event instanceof ReservationEvent(var _, var after, var _)
                        ? after.id().value()
                        : null,
                type,
                Texts.instant(event.at()),
                switch (event) {
                    case ReservationEvent(var _, var after, var _) -> of(after);
                    case ClusterEvent(var after, var _) ->
                        new ClusterDataBody(after.version(), after.pes(), after.admission());
                    case OutageEvent(var _, var after, var _) -> of(after);
                });
    }

    private static OutageDataBody of(Outage outage) {
        return new OutageDataBody(
                outage.id().value(),
                outage.pes(),
                Texts.instant(outage.from()),
                Texts.instant(outage.to()),
                Texts.instant(outage.endedAt()));
    }

    private static ReservationDataBody of(Reservation reservation) {
        var status = reservation.status();
        return new ReservationDataBody(
                reservation.state(),
                Texts.orNull(status.reason()),
                TermsBody.of(reservation.terms()),
                ReservationBody.placement(reservation),
                Texts.instant(reservation.placement().fixesAt()),
                Texts.instant(status.holdExpiresAt()),
                Texts.instant(status.claimBy()),
                MoneyBody.of(reservation.price()),
                Texts.orNull(reservation.charge().credit().map(MoneyBody::of)));
    }
}
