package berth.peers.store;

import static berth.store.Seconds.instant;

import berth.peers.Mirror;
import berth.peers.Mirror.Report;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.store.JournalFormat;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import tools.jackson.databind.JsonNode;

/** The row of a reservation at another Berth. State and times are separate columns for searches. */
@Entity
@Table(name = "mirror")
@NullUnmarked
public final class MirrorRow {

    @Id
    UUID id;

    String cluster;
    String owner;
    String project;
    String origin;
    String remoteId;

    @Enumerated(EnumType.STRING)
    Mirror.Owed owed;

    @Convert(converter = JsonConverter.class)
    public JsonNode answer;

    @Enumerated(EnumType.STRING)
    ReservationState state;

    public Instant startAt;
    public Instant endAt;
    Instant heardAt;
    boolean reachable;
    boolean degraded;
    Instant createdAt;

    static MirrorRow of(Mirror mirror) {
        var row = new MirrorRow();
        var origin = mirror.origin();
        row.id = mirror.id().value();
        row.cluster = mirror.cluster().value();
        row.owner = origin.owner().value();
        row.project = origin.project().orElse(null);
        row.origin = JournalFormat.json(origin);
        row.remoteId = mirror.remoteId();
        row.owed = mirror.owed();
        row.answer = mirror.last().answer();
        row.state = mirror.state();
        row.startAt = instant(mirror.start());
        row.endAt = instant(mirror.end());
        row.heardAt = instant(mirror.last().heardAt());
        row.reachable = mirror.last().isReachable();
        row.degraded = mirror.isDegraded();
        row.createdAt = instant(mirror.createdAt());
        return row;
    }

    public Mirror toMirror() {
        return new Mirror(
                new ReservationId(id),
                new ClusterId(cluster),
                JournalFormat.read(origin, Origin.class),
                remoteId,
                owed,
                new Report(answer, heardAt.getEpochSecond(), reachable),
                degraded,
                createdAt.getEpochSecond());
    }
}
