package berth.persistence;

import berth.desk.Records.RecordedEvent;
import berth.reservation.Event;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** An event, with the reservation as it was after it. Written once. */
@Entity
@Table(name = "event")
@IdClass(EventRow.Key.class)
@NullUnmarked
class EventRow {

    record Key(String cluster, long sequence) {}

    @Id
    String cluster;

    @Id
    long sequence;

    @Enumerated(EnumType.STRING)
    Event.Type type;

    Instant at;
    UUID reservation;

    @Embedded
    ReservationFields after;

    static EventRow of(String cluster, long sequence, Event event) {
        var row = new EventRow();
        row.cluster = cluster;
        row.sequence = sequence;
        row.type = event.type();
        row.at = Instant.ofEpochSecond(event.at());
        row.reservation = event.reservation().id().value();
        row.after = ReservationFields.of(event.reservation());
        return row;
    }

    RecordedEvent toEvent() {
        return new RecordedEvent(
                sequence, new Event(type, after.toReservation(reservation, cluster), at.getEpochSecond()));
    }
}
