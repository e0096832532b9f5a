package berth.series.store;

import berth.availability.PeSet;
import berth.reservation.ClusterId;
import berth.series.Maintenance;
import berth.series.Maintenance.Downtime;
import berth.series.Series.Planned;
import berth.series.Series.Recurrence;
import berth.store.JournalFormat;
import berth.store.Seconds;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** The row of a maintenance in its present state. */
@Entity
@Table(name = "maintenance")
@NullUnmarked
final class MaintenanceRow {

    @Id
    UUID id;

    String cluster;
    String content;
    int planned;
    int recorded;
    Instant createdAt;

    /** The PEs that are out of service, and the times, as journal JSON. */
    record Content(
            int pes,
            Optional<PeSet> peIds,
            long duration,
            Optional<String> reason,
            Recurrence recurrence,
            List<Planned> planned) {}

    static MaintenanceRow of(Maintenance maintenance) {
        var row = new MaintenanceRow();
        row.id = maintenance.id();
        row.cluster = maintenance.cluster().value();
        row.content = JournalFormat.json(new Content(
                maintenance.downtime().pes(),
                maintenance.downtime().peIds(),
                maintenance.downtime().duration(),
                maintenance.downtime().reason(),
                maintenance.recurrence(),
                maintenance.planned()));
        row.planned = maintenance.planned().size();
        row.recorded = maintenance.recorded();
        row.createdAt = Seconds.instant(maintenance.createdAt());
        return row;
    }

    Maintenance toMaintenance() {
        var read = JournalFormat.read(content, Content.class);
        return new Maintenance(
                id,
                new ClusterId(cluster),
                new Downtime(read.pes, read.peIds, read.duration, read.reason),
                read.recurrence,
                read.planned,
                recorded,
                createdAt.getEpochSecond());
    }
}
