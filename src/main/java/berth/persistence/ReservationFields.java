package berth.persistence;

import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.Status;
import berth.sla.Money;
import berth.sla.QosScenario;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** All of a reservation but its id and its cluster: as it is in its own row, as it was in the row of an event. */
@Embeddable
@NullUnmarked
class ReservationFields {

    String owner;
    String name;
    String project;

    @Enumerated(EnumType.STRING)
    ReservationState state;

    @Enumerated(EnumType.STRING)
    QosScenario scenario;

    Instant readyTime;
    Instant deadline;
    long duration;
    int pes;
    BigDecimal budget;

    Instant startAt;

    Instant endAt;

    BigDecimal price;
    String currency;
    Instant holdExpiresAt;
    Instant createdAt;
    Instant updatedAt;
    int version;

    static ReservationFields of(Reservation reservation) {
        var fields = new ReservationFields();
        fields.owner = reservation.origin().owner();
        fields.name = reservation.origin().name().orElse(null);
        fields.project = reservation.origin().project().orElse(null);
        fields.state = reservation.state();
        var terms = reservation.terms();
        fields.scenario = terms.scenario();
        fields.readyTime = Instant.ofEpochSecond(terms.window().readyTime());
        fields.deadline = Instant.ofEpochSecond(terms.window().deadline());
        fields.duration = terms.duration();
        fields.pes = terms.pes();
        fields.budget = terms.budget().map(Money::amount).orElse(null);
        fields.startAt = Instant.ofEpochSecond(reservation.slot().start());
        fields.endAt = Instant.ofEpochSecond(reservation.slot().end());
        fields.price = reservation.price().amount();
        fields.currency = reservation.price().currency().getCurrencyCode();
        var status = reservation.status();
        fields.holdExpiresAt = status.holdExpiresAt().isPresent()
                ? Instant.ofEpochSecond(status.holdExpiresAt().getAsLong())
                : null;
        fields.createdAt = Instant.ofEpochSecond(status.createdAt());
        fields.updatedAt = Instant.ofEpochSecond(status.updatedAt());
        fields.version = status.version();
        return fields;
    }

    Reservation toReservation(UUID id, String cluster) {
        var money = Currency.getInstance(currency);
        return new Reservation(
                new ReservationId(id),
                cluster,
                new Origin(owner, Optional.ofNullable(name), Optional.ofNullable(project)),
                new Terms(
                        new Window(readyTime.getEpochSecond(), deadline.getEpochSecond()),
                        duration,
                        pes,
                        Optional.ofNullable(budget).map(amount -> new Money(amount, money)),
                        scenario),
                new Slot(startAt.getEpochSecond(), endAt.getEpochSecond()),
                new Money(price, money),
                new Status(
                        state,
                        holdExpiresAt == null ? OptionalLong.empty() : OptionalLong.of(holdExpiresAt.getEpochSecond()),
                        createdAt.getEpochSecond(),
                        updatedAt.getEpochSecond(),
                        version));
    }
}
