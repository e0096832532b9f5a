package berth.store;

import static berth.store.Seconds.instant;

import berth.booking.CollectedRequest;
import berth.intake.IntakeRequest;
import berth.reservation.ClusterId;
import berth.scheduling.places.Preference;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** The row of a collected or waiting request in its present state: its content, and the fields for searches. */
@Entity
@Table(name = "request")
@NullUnmarked
public final class RequestRow {

    @Id
    UUID id;

    String cluster;
    String owner;
    String project;
    UUID series;

    @Enumerated(EnumType.STRING)
    IntakeRequest.State state;

    Instant endedAt;
    String content;

    /** Null if the request names a cluster. */
    String choice;

    /** How the cluster is chosen. */
    record Choice(Preference preference, Set<ClusterId> only) {}

    public static RequestRow of(CollectedRequest collected) {
        var row = of(collected.request());
        row.choice = JournalFormat.json(new Choice(collected.preference(), collected.only()));
        return row;
    }

    public CollectedRequest toCollected() {
        var chosen = JournalFormat.read(choice, Choice.class);
        return new CollectedRequest(toRequest(), chosen.preference, chosen.only);
    }

    public static RequestRow of(IntakeRequest request) {
        var row = new RequestRow();
        row.id = request.id().value();
        row.cluster = request.cluster().map(ClusterId::value).orElse(null);
        row.owner = request.origin().owner().value();
        row.project = request.origin().project().orElse(null);
        row.series =
                request.origin().occurrence().map(one -> one.series().value()).orElse(null);
        row.state = request.state();
        row.endedAt = instant(request.endedAt());
        row.content = JournalFormat.json(request);
        return row;
    }

    public IntakeRequest toRequest() {
        return JournalFormat.read(content, IntakeRequest.class);
    }
}
