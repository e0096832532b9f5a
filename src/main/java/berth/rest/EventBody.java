package berth.rest;

import berth.desk.Records.RecordedEvent;
import berth.reservation.ReservationState;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An event as the contract writes it; the data are the reservation as it was after it. */
record EventBody(long sequence, String cluster, UUID reservation, String type, Instant at, DataBody data) {

    record DataBody(
            ReservationState state,
            TermsBody terms,
            ReservationBody.PlacementBody placement,
            @Nullable Instant holdExpiresAt,
            MoneyBody price) {}

    static EventBody of(RecordedEvent recorded) {
        var event = recorded.event();
        var reservation = event.reservation();
        return new EventBody(
                recorded.sequence(),
                reservation.cluster(),
                reservation.id().value(),
                event.type().name().toLowerCase(Locale.ROOT),
                Texts.instant(event.at()),
                new DataBody(
                        reservation.state(),
                        TermsBody.of(reservation.terms()),
                        ReservationBody.placement(reservation),
                        Texts.instant(reservation.status().holdExpiresAt()),
                        MoneyBody.of(reservation.price())));
    }
}
