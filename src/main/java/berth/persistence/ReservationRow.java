package berth.persistence;

import berth.reservation.Reservation;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** A reservation as it is. */
@Entity
@Table(name = "reservation")
@NullUnmarked
class ReservationRow {

    @Id
    UUID id;

    String cluster;

    @Embedded
    ReservationFields fields;

    static ReservationRow of(Reservation reservation) {
        var row = new ReservationRow();
        row.id = reservation.id().value();
        row.cluster = reservation.cluster().value();
        row.fields = ReservationFields.of(reservation);
        return row;
    }

    Reservation toReservation() {
        return fields.toReservation(id, cluster);
    }
}
