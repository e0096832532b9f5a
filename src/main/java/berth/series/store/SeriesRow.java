package berth.series.store;

import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.SeriesId;
import berth.series.Series;
import berth.series.Series.Planned;
import berth.series.Series.Recurrence;
import berth.series.Series.Replaced;
import berth.series.Series.Span;
import berth.series.SeriesState;
import berth.sla.RequestedTerms;
import berth.store.JournalFormat;
import berth.store.Seconds;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** The row of a series in its present state. */
@Entity
@Table(name = "series")
@NullUnmarked
final class SeriesRow {

    @Id
    UUID id;

    String cluster;
    String owner;
    String project;

    @Enumerated(EnumType.STRING)
    SeriesState state;

    String content;
    int decided;
    int version;
    Instant createdAt;

    /** The series, with its owner, terms and dates, as journal JSON. */
    record Content(
            Origin origin,
            int priority,
            RequestedTerms terms,
            Recurrence recurrence,
            Span span,
            List<Planned> planned,
            Optional<Replaced> replaces,
            Optional<LocalDate> givesUpFrom) {}

    static SeriesRow of(Series series) {
        var row = new SeriesRow();
        row.id = series.id().value();
        row.cluster = series.cluster().value();
        row.owner = series.origin().owner().value();
        row.project = series.origin().project().orElse(null);
        row.state = series.state();
        row.content = JournalFormat.json(new Content(
                series.origin(),
                series.priority(),
                series.terms(),
                series.recurrence(),
                series.span(),
                series.planned(),
                series.replaces(),
                series.givesUpFrom()));
        row.decided = series.decided();
        row.version = series.version();
        row.createdAt = Seconds.instant(series.createdAt());
        return row;
    }

    Series toSeries() {
        var read = JournalFormat.read(content, Content.class);
        return new Series(
                new SeriesId(id),
                new ClusterId(cluster),
                read.origin,
                read.priority,
                read.terms,
                read.recurrence,
                read.span,
                read.planned,
                decided,
                state,
                read.replaces,
                read.givesUpFrom,
                version,
                createdAt.getEpochSecond());
    }
}
