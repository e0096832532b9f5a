package berth.store;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;

/** The row with the number of requests refused on a cluster within an hour for one reason. */
@Entity
@Table(name = "refusal")
@IdClass(RefusalRow.Key.class)
@NullUnmarked
final class RefusalRow {

    record Key(String cluster, Instant hour, String code) {}

    @Id
    String cluster;

    @Id
    Instant hour;

    @Id
    String code;

    long number;
}
