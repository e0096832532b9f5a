package berth.store;

import berth.reservation.Occurrence;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.store.BatchWriter.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** The row of a reservation in its present state: its content, and the fields for searches and sums. */
@Entity
@Table(name = "reservation")
@NullUnmarked
public final class ReservationRow {

    /** The condition in SQL, behind a column with a state, that the state {@link ReservationState#isLive() is live}. */
    public static final String LIVE = "in ('HELD', 'PENDING', 'CONFIRMED', 'RUNNING')";

    static final BatchWriter<Reservation> WRITER = new BatchWriter<>(
            "reservation",
            Set.of("id"),
            List.of(
                    new Column<>("id", "uuid", Reservation::id),
                    new Column<>("cluster", "text", Reservation::cluster),
                    new Column<>(
                            "owner", "text", reservation -> reservation.origin().owner()),
                    new Column<>(
                            "project",
                            "text",
                            reservation -> reservation.origin().project().orElse(null)),
                    new Column<>(
                            "series",
                            "uuid",
                            reservation -> reservation
                                    .origin()
                                    .occurrence()
                                    .map(Occurrence::series)
                                    .orElse(null)),
                    new Column<>("state", "text", Reservation::state),
                    new Column<>(
                            "start_at",
                            "timestamptz",
                            reservation -> Seconds.instant(reservation.slot().start())),
                    new Column<>(
                            "end_at",
                            "timestamptz",
                            reservation -> Seconds.instant(reservation.slot().end())),
                    new Column<>(
                            "pes",
                            "integer",
                            reservation -> reservation.placement().pes()),
                    new Column<>("parts", "text", ReservationRow::parts),
                    new Column<>(
                            "price",
                            "numeric",
                            reservation -> reservation.price().amount()),
                    new Column<>(
                            "currency",
                            "text",
                            reservation -> reservation.price().currency()),
                    new Column<>(
                            "updated_at",
                            "timestamptz",
                            reservation -> Seconds.instant(reservation.status().updatedAt())),
                    new Column<>(
                            "open_return",
                            "boolean",
                            reservation -> !reservation.charge().openReturns().isEmpty()),
                    new Column<>("content", "text", JournalFormat::json)));

    @Id
    UUID id;

    String cluster;
    String owner;
    String project;
    UUID series;

    @Enumerated(EnumType.STRING)
    ReservationState state;

    Instant startAt;
    Instant endAt;
    int pes;

    /** Null if the run had the same PEs all the time, which the start, the end and the PEs describe. */
    String parts;

    BigDecimal price;
    String currency;
    Instant updatedAt;

    /** Whether a rest of the price of time that it returned may still be credited, even if it has ended. */
    boolean openReturn;

    String content;

    private static String parts(Reservation reservation) {
        var pieces = reservation.placement().pieces();
        return pieces.size() == 1 ? null : JournalFormat.json(pieces);
    }

    public Reservation toReservation() {
        return JournalFormat.reservation(content);
    }
}
