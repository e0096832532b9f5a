package berth.booking.store;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;

/** The fields for searches that reservations, mirrors and requests share. */
@Entity
@Immutable
@Table(name = "listed")
@NullUnmarked
final class ListedRow {

    @Id
    UUID id;

    UUID reservation;
    UUID mirror;
    UUID request;
    boolean isListed;
    String owner;
    String project;
    String cluster;
    String state;
    Instant startAt;
    Instant endAt;
}
