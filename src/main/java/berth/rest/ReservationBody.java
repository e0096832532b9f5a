package berth.rest;

import berth.availability.PeSet;
import berth.reservation.EndReason;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.sla.QosScenario;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A reservation.
 *
 * @param id made by the service
 * @param name the client's own label
 * @param project what the client files it under
 * @param owner the account that reserved it
 * @param cluster where it runs
 * @param state where it stands in its life
 * @param reason why it ended, where neither its end nor its owner says so
 * @param scenario what the client left open
 * @param terms what was agreed
 * @param placement where it lies in time, and on which PEs
 * @param movable whether it may still be moved in its window
 * @param fixedAt from when on its place is final; it may lie ahead
 * @param holdExpiresAt when the hold ends; only of one that is held
 * @param claimBy until when it must be claimed; null where the cluster did not ask for it, and once it is claimed or over
 * @param price what it owes as things stand
 * @param credit what it is credited for a breach
 * @param flags what is out of the ordinary about it
 * @param tried the clusters that were asked before this one
 * @param createdAt when it was accepted
 * @param updatedAt when it last changed
 * @param version how often it has changed; its entity tag
 */
record ReservationBody(
        UUID id,
        @Nullable String name,
        @Nullable String project,
        String owner,
        String cluster,
        ReservationState state,
        @Nullable EndReason reason,
        QosScenario scenario,
        TermsBody terms,
        PlacementBody placement,
        boolean movable,
        Instant fixedAt,
        @Nullable Instant holdExpiresAt,
        @Nullable Instant claimBy,
        MoneyBody price,
        @Nullable MoneyBody credit,
        List<String> flags,
        List<String> tried,
        Instant createdAt,
        Instant updatedAt,
        int version) {

    /**
     * A place in the schedule.
     *
     * @param start since when
     * @param end until when
     * @param pes how many PEs; of a run in parts the most at one time
     * @param peIds which, by their numbers; null until that is settled, and of a run in parts
     * @param parts what of it lies where; one part of a run that is not split
     */
    record PlacementBody(
            Instant start, Instant end, int pes, @Nullable String peIds, List<PartBody> parts) {}

    /** @param now for what depends on the time, seconds since the epoch */
    static ReservationBody of(Reservation reservation, long now) {
        var status = reservation.status();
        return new ReservationBody(
                reservation.id().value(),
                Texts.orNull(reservation.origin().name()),
                Texts.orNull(reservation.origin().project()),
                reservation.origin().owner(),
                reservation.cluster(),
                reservation.state(),
                Texts.orNull(status.reason()),
                reservation.terms().scenario(),
                TermsBody.of(reservation.terms()),
                placement(reservation),
                reservation.isMovable(now),
                Texts.instant(reservation.placement().fixesAt()),
                Texts.instant(status.holdExpiresAt()),
                Texts.instant(status.claimBy()),
                MoneyBody.of(reservation.price()),
                Texts.orNull(reservation.charge().credit().map(MoneyBody::of)),
                flags(status),
                List.of(),
                Texts.instant(status.createdAt()),
                Texts.instant(status.updatedAt()),
                status.version());
    }

    private static List<String> flags(Status status) {
        return status.flags().stream()
                .sorted()
                .map(flag -> flag.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    static PlacementBody placement(Reservation reservation) {
        var slot = reservation.slot();
        return new PlacementBody(
                Texts.instant(slot.start()),
                Texts.instant(slot.end()),
                reservation.placement().pes(),
                Texts.orNull(reservation.placement().peIds().map(PeSet::toString)),
                PartBody.of(reservation.parts()));
    }
}
