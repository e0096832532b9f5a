package berth.persistence;

import static berth.persistence.Seconds.instant;
import static berth.persistence.Seconds.optional;

import berth.availability.PeSet;
import berth.reservation.Charge;
import berth.reservation.ClusterId;
import berth.reservation.EndReason;
import berth.reservation.Origin;
import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.reservation.Status.Flag;
import berth.reservation.Tried;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.ServiceClass;
import berth.sla.Terms;
import berth.time.Slot;
import jakarta.persistence.Convert;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.hibernate.annotations.EmbeddedColumnNaming;
import org.jspecify.annotations.NullUnmarked;

/** All of a reservation but its id and its cluster: as it is in its own row, as it was in the row of an event. */
@Embeddable
@NullUnmarked
class ReservationFields {

    String owner;

    @Enumerated(EnumType.STRING)
    ServiceClass serviceClass;

    String name;
    String project;
    BigDecimal phi;

    @Convert(converter = TriedConverter.class)
    List<Tried> tried;

    @Enumerated(EnumType.STRING)
    ReservationState state;

    @Enumerated(EnumType.STRING)
    EndReason reason;

    @Embedded
    TermsFields terms;

    Instant startAt;
    Instant endAt;
    int pes;

    @Convert(converter = PeSetConverter.class)
    PeSet peIds;

    /** Null where the run lies in one piece: that is what the start, the end and the PEs say. */
    @Convert(converter = PartsConverter.class)
    List<Part> parts;

    int turns;
    Instant fixesAt;
    BigDecimal price;
    BigDecimal credit;
    String currency;
    Instant holdExpiresAt;
    Instant claimBy;
    Instant createdAt;
    Instant updatedAt;
    int version;

    @Convert(converter = FlagsConverter.class)
    Set<Flag> flags;

    @Embedded
    @EmbeddedColumnNaming("proposal_%s")
    ProposalFields proposal;

    static ReservationFields of(Reservation reservation) {
        var fields = new ReservationFields();
        fields.origin(reservation.origin());
        fields.terms = TermsFields.of(reservation.terms());
        fields.placement(reservation.placement());
        fields.price = reservation.price().amount();
        fields.credit = reservation.charge().credit().map(Money::amount).orElse(null);
        fields.currency = reservation.price().currency().getCurrencyCode();
        fields.status(reservation.status());
        fields.proposal = reservation.proposal().map(ProposalFields::of).orElse(null);
        return fields;
    }

    private void origin(Origin origin) {
        owner = origin.owner().value();
        serviceClass = origin.serviceClass();
        name = origin.name().orElse(null);
        project = origin.project().orElse(null);
        phi = origin.phi().orElse(null);
        tried = origin.tried();
    }

    private void placement(Placement placement) {
        startAt = instant(placement.slot().start());
        endAt = instant(placement.slot().end());
        pes = placement.pes();
        peIds = placement.peIds().orElse(null);
        parts = placement.parts().size() == 1 ? null : placement.parts();
        turns = placement.turns();
        fixesAt = instant(placement.fixesAt());
    }

    private void status(Status status) {
        state = status.state();
        reason = status.reason().orElse(null);
        holdExpiresAt = instant(status.holdExpiresAt());
        claimBy = instant(status.claimBy());
        createdAt = instant(status.createdAt());
        updatedAt = instant(status.updatedAt());
        version = status.version();
        flags = status.flags();
    }

    Reservation toReservation(UUID id, String cluster) {
        var money = Currency.getInstance(currency);
        var agreed = terms.toTerms(money);
        return new Reservation(
                new ReservationId(id),
                new ClusterId(cluster),
                new Origin(
                        new AccountName(owner),
                        serviceClass,
                        Optional.ofNullable(name),
                        Optional.ofNullable(project),
                        Optional.ofNullable(phi),
                        tried == null ? List.of() : tried),
                agreed,
                new Placement(parts(agreed), fixesAt.getEpochSecond(), turns),
                new Charge(
                        new Money(price, money), Optional.ofNullable(credit).map(amount -> new Money(amount, money))),
                new Status(
                        state,
                        Optional.ofNullable(reason),
                        optional(holdExpiresAt),
                        optional(claimBy),
                        createdAt.getEpochSecond(),
                        updatedAt.getEpochSecond(),
                        version,
                        flags),
                Optional.ofNullable(proposal).map(offered -> offered.toProposal(money)));
    }

    private List<Part> parts(Terms agreed) {
        var slot = new Slot(startAt.getEpochSecond(), endAt.getEpochSecond());
        return parts == null ? List.of(new Part(slot, pes, Optional.ofNullable(peIds), agreed.steps())) : parts;
    }
}
