package berth.store;

import static berth.store.Seconds.instant;

import berth.cluster.Outage;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** The row of an outage in its present state: its content, and the fields for searches. */
@Entity
@Table(name = "outage")
@NullUnmarked
public final class OutageRow {

    @Id
    UUID id;

    String cluster;
    Instant fromAt;
    Instant toAt;
    Instant endedAt;
    String content;

    static OutageRow of(Outage outage) {
        var row = new OutageRow();
        row.id = outage.id().value();
        row.cluster = outage.cluster().value();
        row.fromAt = instant(outage.from());
        row.toAt = instant(outage.to());
        row.endedAt = instant(outage.endedAt());
        row.content = JournalFormat.json(outage);
        return row;
    }

    public Outage toOutage() {
        return JournalFormat.read(content, Outage.class);
    }
}
