package berth.persistence;

import static berth.persistence.Seconds.instant;
import static berth.persistence.Seconds.optional;

import berth.availability.PeSet;
import berth.reservation.Charge;
import berth.reservation.EndReason;
import berth.reservation.Origin;
import berth.reservation.Placement;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.sla.Fixing;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.QosScenario;
import berth.sla.ServiceClass;
import berth.sla.Shape;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import jakarta.persistence.Convert;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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

    @Enumerated(EnumType.STRING)
    ReservationState state;

    @Enumerated(EnumType.STRING)
    EndReason reason;

    @Enumerated(EnumType.STRING)
    QosScenario scenario;

    Instant readyTime;
    Instant deadline;
    long duration;
    int pes;
    BigDecimal budget;

    @Convert(converter = LabelsConverter.class)
    Map<String, String> requires;

    BigDecimal fixAfter;
    Long fixBefore;
    Instant startAt;
    Instant endAt;
    Instant fixesAt;

    @Convert(converter = PeSetConverter.class)
    PeSet peIds;

    BigDecimal price;
    BigDecimal credit;
    String currency;
    Instant holdExpiresAt;
    Instant claimBy;
    Instant createdAt;
    Instant updatedAt;
    int version;

    static ReservationFields of(Reservation reservation) {
        var fields = new ReservationFields();
        fields.origin(reservation.origin());
        fields.terms(reservation.terms());
        fields.startAt = instant(reservation.slot().start());
        fields.endAt = instant(reservation.slot().end());
        fields.fixesAt = instant(reservation.placement().fixesAt());
        fields.peIds = reservation.placement().peIds().orElse(null);
        fields.price = reservation.price().amount();
        fields.credit = reservation.charge().credit().map(Money::amount).orElse(null);
        fields.currency = reservation.price().currency().getCurrencyCode();
        fields.status(reservation.status());
        return fields;
    }

    private void origin(Origin origin) {
        owner = origin.owner();
        serviceClass = origin.serviceClass();
        name = origin.name().orElse(null);
        project = origin.project().orElse(null);
    }

    private void terms(Terms terms) {
        scenario = terms.scenario();
        readyTime = instant(terms.window().readyTime());
        deadline = instant(terms.window().deadline());
        duration = terms.duration();
        pes = terms.pes();
        budget = terms.budget().map(Money::amount).orElse(null);
        requires = terms.requires();
        fixAfter = terms.fixing().after().orElse(null);
        fixBefore = Seconds.orNull(terms.fixing().before());
    }

    private void status(Status status) {
        state = status.state();
        reason = status.reason().orElse(null);
        holdExpiresAt = instant(status.holdExpiresAt());
        claimBy = instant(status.claimBy());
        createdAt = instant(status.createdAt());
        updatedAt = instant(status.updatedAt());
        version = status.version();
    }

    private int turns() {
        return switch (state) {
            case HELD, CONFIRMED, EXPIRED -> 0;
            case RUNNING, COMPLETED, CANCELLED, FAILED -> 1;
        };
    }

    Reservation toReservation(UUID id, String cluster) {
        var money = Currency.getInstance(currency);
        var slot = new Slot(startAt.getEpochSecond(), endAt.getEpochSecond());
        return new Reservation(
                new ReservationId(id),
                cluster,
                new Origin(owner, serviceClass, Optional.ofNullable(name), Optional.ofNullable(project)),
                new Terms(
                        new Window(readyTime.getEpochSecond(), deadline.getEpochSecond()),
                        duration,
                        List.of(new Shape(pes, slot.duration())),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.ofNullable(budget).map(amount -> new Money(amount, money)),
                        requires,
                        new Fixing(Optional.ofNullable(fixAfter), optional(fixBefore)),
                        scenario),
                new Placement(
                        List.of(new Part(slot, pes, Optional.ofNullable(peIds), 1)), fixesAt.getEpochSecond(), turns()),
                new Charge(
                        new Money(price, money), Optional.ofNullable(credit).map(amount -> new Money(amount, money))),
                new Status(
                        state,
                        Optional.ofNullable(reason),
                        optional(holdExpiresAt),
                        optional(claimBy),
                        createdAt.getEpochSecond(),
                        updatedAt.getEpochSecond(),
                        version),
                Optional.empty());
    }
}
