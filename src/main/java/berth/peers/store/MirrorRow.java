package berth.peers.store;

import static berth.store.Seconds.instant;

import berth.peers.Mirror;
import berth.reservation.ClusterId;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.reservation.TriedCluster;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import berth.store.TriedConverter;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import tools.jackson.databind.JsonNode;

/** The row of a reservation at another Berth. State and times are separate columns for searches. */
@Entity
@Table(name = "mirror")
@NullUnmarked
public class MirrorRow {

    @Id
    UUID id;

    String cluster;
    String owner;

    @Enumerated(EnumType.STRING)
    ServiceClass serviceClass;

    String name;
    String project;
    Integer firstVersion;

    @Convert(converter = TriedConverter.class)
    List<TriedCluster> tried;

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
        row.serviceClass = origin.serviceClass();
        row.name = origin.name().orElse(null);
        row.project = origin.project().orElse(null);
        row.firstVersion =
                origin.firstVersion().isPresent() ? origin.firstVersion().getAsInt() : null;
        row.tried = origin.tried();
        row.remoteId = mirror.remoteId();
        row.owed = mirror.owed();
        row.answer = mirror.answer();
        row.state = mirror.state();
        row.startAt = instant(mirror.start());
        row.endAt = instant(mirror.end());
        row.heardAt = instant(mirror.heardAt());
        row.reachable = mirror.isReachable();
        row.degraded = mirror.isDegraded();
        row.createdAt = instant(mirror.createdAt());
        return row;
    }

    private Origin origin() {
        var origin = new Origin(
                new AccountName(owner),
                serviceClass,
                Optional.ofNullable(name),
                Optional.ofNullable(project),
                Optional.empty(),
                tried == null ? List.of() : tried);
        return firstVersion == null ? origin : origin.beginningAt(firstVersion);
    }

    public Mirror toMirror() {
        return new Mirror(
                new ReservationId(id),
                new ClusterId(cluster),
                origin(),
                remoteId,
                owed,
                answer,
                heardAt.getEpochSecond(),
                reachable,
                degraded,
                createdAt.getEpochSecond());
    }
}
