package berth.rest;

import berth.desk.Desks;
import berth.desk.Desks.Creation;
import berth.desk.Records;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.rest.Problem.FieldError;
import berth.scheduling.Cluster;
import berth.security.Account;
import berth.security.Role;
import berth.time.Slot;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Clusters: administrators add them, everybody reads their public cards. */
@RestController
@RequestMapping("/api/v1/clusters")
class ClustersController {

    private final Desks desks;
    private final Records records;
    private final ClusterLookup lookup;
    private final IdempotencyKeys keys;
    private final InstantSource clock;

    ClustersController(Desks desks, Records records, ClusterLookup lookup, IdempotencyKeys keys, InstantSource clock) {
        this.desks = desks;
        this.records = records;
        this.lookup = lookup;
        this.keys = keys;
        this.clock = clock;
    }

    @PostMapping
    ResponseEntity<ClusterBody> create(
            @RequestBody ClusterBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        var cluster = body.toCluster();
        return switch (desks.create(cluster, keys.use(key, account, "create cluster", body))) {
            case Creation.Created(var created) ->
                ResponseEntity.created(URI.create("/api/v1/clusters/" + created.id()))
                        .body(ClusterBody.of(created));
            case Creation.Exists() ->
                throw new Problem(
                        ProblemCode.EXISTS,
                        "Choose another id, or use the cluster that is there.",
                        List.of(new FieldError("id", cluster.id(), "is taken")));
            case Creation.KeyReused() ->
                throw new Problem(ProblemCode.KEY_REUSED, "Use a new Idempotency-Key for a new request.");
            case Creation.NotDecided(var why) ->
                throw new Problem(ProblemCode.UNAVAILABLE, "Nothing has changed. " + why);
        };
    }

    @GetMapping("/{id}")
    ClusterBody read(@PathVariable String id, @AuthenticationPrincipal Account account) {
        return body(lookup.schedule(id).cluster(), account);
    }

    @GetMapping
    Page<ClusterBody> list(
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        int most = Page.limit(limit);
        var clusters = desks.clusters();
        if (after != null) {
            clusters = clusters.stream()
                    .dropWhile(cluster -> !cluster.id().equals(after))
                    .toList();
            if (clusters.isEmpty()) {
                throw Page.badCursor(after);
            }
            clusters = clusters.subList(1, clusters.size());
        }
        return Page.of(clusters, most, cluster -> body(cluster, account), Cluster::id);
    }

    private static ClusterBody body(Cluster cluster, Account account) {
        return account.role() == Role.ADMIN ? ClusterBody.of(cluster) : ClusterBody.cardOf(cluster);
    }

    record PlacementsBody(List<GanttBody> placements) {}

    enum Kind {
        RESERVATION
    }

    record GanttBody(Kind kind, String id, String owner, ReservationState state, Instant start, Instant end, int pes) {}

    /** The data of a Gantt chart: by default from now to the cluster's horizon. */
    @GetMapping("/{id}/schedule")
    PlacementsBody schedule(
            @PathVariable String id, @RequestParam @Nullable String from, @RequestParam @Nullable String to) {
        var cluster = lookup.schedule(id).cluster();
        var fields = new Fields();
        long start = fields.instantDown("from", from).orElse(clock.instant().getEpochSecond());
        long end = fields.instantUp("to", to).orElse(start + cluster.horizon());
        fields.check();
        if (end <= start) {
            throw Problem.field(ProblemCode.MALFORMED, "to", to, "must lie after from");
        }
        return new PlacementsBody(records.occupying(id, new Slot(start, end)).stream()
                .map(ClustersController::gantt)
                .toList());
    }

    private static GanttBody gantt(Reservation reservation) {
        var occupied = reservation.occupied().orElseThrow();
        return new GanttBody(
                Kind.RESERVATION,
                reservation.id().toString(),
                reservation.origin().owner(),
                reservation.state(),
                Texts.instant(occupied.start()),
                Texts.instant(occupied.end()),
                reservation.terms().pes());
    }
}
