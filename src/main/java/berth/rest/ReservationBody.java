package berth.rest;

import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.sla.QosScenario;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A reservation as the contract writes it.
 *
 * @param movable whether it may still be moved in its window; nothing is moved yet
 * @param fixedAt since when its place is final: its acceptance, as long as nothing is moved
 * @param holdExpiresAt when the hold ends; only of one that is held
 * @param price what it owes as things stand
 */
record ReservationBody(
        UUID id,
        @Nullable String name,
        @Nullable String project,
        String owner,
        String cluster,
        ReservationState state,
        @Nullable String reason,
        QosScenario scenario,
        TermsBody terms,
        PlacementBody placement,
        boolean movable,
        Instant fixedAt,
        @Nullable Instant holdExpiresAt,
        MoneyBody price,
        List<String> flags,
        List<String> tried,
        Instant createdAt,
        Instant updatedAt,
        int version) {

    record PlacementBody(Instant start, Instant end, int pes) {}

    static ReservationBody of(Reservation reservation) {
        var status = reservation.status();
        var created = Texts.instant(status.createdAt());
        return new ReservationBody(
                reservation.id().value(),
                Texts.orNull(reservation.origin().name()),
                Texts.orNull(reservation.origin().project()),
                reservation.origin().owner(),
                reservation.cluster(),
                reservation.state(),
                null,
                reservation.terms().scenario(),
                TermsBody.of(reservation.terms()),
                placement(reservation),
                false,
                created,
                Texts.instant(status.holdExpiresAt()),
                MoneyBody.of(reservation.price()),
                List.of(),
                List.of(),
                created,
                Texts.instant(status.updatedAt()),
                status.version());
    }

    static PlacementBody placement(Reservation reservation) {
        var slot = reservation.slot();
        return new PlacementBody(
                Texts.instant(slot.start()),
                Texts.instant(slot.end()),
                reservation.terms().pes());
    }
}
