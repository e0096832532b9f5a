package berth.booking.store;

import static berth.store.Seconds.instant;

import berth.booking.Coallocation;
import berth.store.JournalFormat;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** The row of a co-allocation in its present state: its content, and the fields for searches. */
@Entity
@Table(name = "coallocation")
@NullUnmarked
final class CoallocationRow {

    @Id
    UUID id;

    boolean settled;
    boolean watched;
    UUID[] reservations;
    Instant createdAt;
    Instant updatedAt;
    String content;

    static CoallocationRow of(Coallocation coallocation) {
        var row = new CoallocationRow();
        row.id = coallocation.id();
        row.settled = coallocation.isFinished();
        row.watched = coallocation.isWatched();
        row.reservations = coallocation.parts().stream()
                .map(part -> part.reservation().value())
                .toArray(UUID[]::new);
        row.createdAt = instant(coallocation.createdAt());
        row.updatedAt = instant(coallocation.updatedAt());
        row.content = JournalFormat.json(coallocation);
        return row;
    }

    Coallocation toCoallocation() {
        return JournalFormat.read(content, Coallocation.class);
    }
}
