package berth.booking.store;

import static berth.store.Seconds.instant;

import berth.booking.Coallocation;
import berth.booking.Coallocation.Part;
import berth.booking.CoallocationState;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;

/** The row of a co-allocation in its present state. */
@Entity
@Table(name = "coallocation")
@NullUnmarked
class CoallocationRow {

    @Id
    UUID id;

    String owner;
    String name;
    String project;

    @Enumerated(EnumType.STRING)
    CoallocationState state;

    boolean settled;
    boolean watched;
    Instant startAt;
    String[] clusters;
    UUID[] reservations;
    Instant createdAt;
    Instant updatedAt;

    static CoallocationRow of(Coallocation coallocation) {
        var row = new CoallocationRow();
        row.id = coallocation.id();
        row.owner = coallocation.owner().value();
        row.name = coallocation.name().orElse(null);
        row.project = coallocation.project().orElse(null);
        row.state = coallocation.state();
        row.settled = coallocation.isFinished();
        row.watched = coallocation.isWatched();
        row.startAt = instant(coallocation.start());
        row.clusters = coallocation.parts().stream()
                .map(part -> part.cluster().value())
                .toArray(String[]::new);
        row.reservations = coallocation.parts().stream()
                .map(part -> part.reservation().value())
                .toArray(UUID[]::new);
        row.createdAt = instant(coallocation.createdAt());
        row.updatedAt = instant(coallocation.updatedAt());
        return row;
    }

    Coallocation toCoallocation() {
        return new Coallocation(
                id,
                new AccountName(owner),
                Optional.ofNullable(name),
                Optional.ofNullable(project),
                state,
                startAt.getEpochSecond(),
                IntStream.range(0, clusters.length)
                        .mapToObj(i -> new Part(new ClusterId(clusters[i]), new ReservationId(reservations[i])))
                        .toList(),
                settled,
                watched,
                createdAt.getEpochSecond(),
                updatedAt.getEpochSecond());
    }
}
