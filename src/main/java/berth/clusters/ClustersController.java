package berth.clusters;

import static berth.http.ProblemCode.EXISTS;
import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.WRONG_STATE;

import berth.accounts.Account;
import berth.booking.web.ClusterLookup;
import berth.booking.web.IdempotencyKeys;
import berth.booking.web.Refusals;
import berth.engine.Answer;
import berth.engine.Desks;
import berth.http.EntityTag;
import berth.http.Fields;
import berth.http.Page;
import berth.http.Patches;
import berth.http.Problem;
import berth.http.Problem.FieldError;
import berth.http.ProblemCode;
import berth.http.Refuses;
import berth.http.RequestFields;
import berth.outcome.Outcome;
import berth.reservation.ClusterId;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Calls that manage clusters: administrators create and change them, all accounts read them. */
@RestController
@RequestMapping("/api/v1/clusters")
class ClustersController {

    private final Desks desks;
    private final ClusterLookup lookup;
    private final IdempotencyKeys keys;
    private final LocalClusters here;
    private final RemoteClusters elsewhere;

    ClustersController(
            Desks desks, ClusterLookup lookup, IdempotencyKeys keys, LocalClusters here, RemoteClusters elsewhere) {
        this.elsewhere = elsewhere;
        this.desks = desks;
        this.lookup = lookup;
        this.keys = keys;
        this.here = here;
    }

    /**
     * Creates a cluster. Only {@code id} and {@code pes} are required. To add a cluster of another Berth, send only {@code id} and {@code
     * peer}; Berth contacts the other Berth at once.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Refuses({EXISTS, INVALID_TERMS})
    ResponseEntity<ClusterBody> createCluster(
            @RequestBody ClusterBody body,
            @RequestHeader(name = IdempotencyKeys.HEADER, required = false) @Nullable String key,
            @AuthenticationPrincipal Account account) {
        if (body.peer() != null) {
            return elsewhere.create(body, key);
        }
        var cluster = body.toCluster(0);
        var use = keys.use(key, account, "create cluster", body);
        return switch (elsewhere.naming(cluster.id(), first -> desks.create(cluster.inVersion(first), use))) {
            case Outcome.Done(var created) -> {
                var shown = ClusterBody.of(created);
                yield ResponseEntity.created(URI.create("/api/v1/clusters/" + created.id()))
                        .eTag(EntityTag.of(created.version(), shown))
                        .body(shown);
            }
            case Outcome.NotDone(Answer.KeyReused()) ->
                throw new Problem(ProblemCode.KEY_REUSED, "Use a new Idempotency-Key for a new request.");
            case Outcome.NotDone(var answer) -> throw Refusals.refused(answer, RequestFields.nothing());
        };
    }

    static Problem taken(ClusterId id) {
        return new Problem(
                ProblemCode.EXISTS,
                "Choose another id, or use the existing cluster.",
                List.of(new FieldError("id", id.value(), "is taken")));
    }

    /**
     * Changes a cluster by a merge patch. New rules apply to later decisions. Reducing {@code pes} records an outage without end. The
     * rating and the currency can change only while nothing is reserved. A cluster with the admission RETIRED is out of use: lists and searches
     * leave it out, and its history remains; another admission brings it back. A dry run returns the effects on existing reservations and jobs,
     * and changes nothing.
     *
     * @param dryRun true to only return what the change would do; false if left out
     */
    @PatchMapping("/{id}")
    @Refuses({INVALID_TERMS, WRONG_STATE})
    ResponseEntity<ClusterBody> changeCluster(
            @PathVariable String id,
            @RequestBody @Patches(ClusterBody.class) JsonNode patch,
            @RequestParam @Nullable String dryRun,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @AuthenticationPrincipal Account account) {
        var expected = EntityTag.expected(ifMatch);
        var fields = new Fields();
        boolean isTried = fields.flag("dryRun", dryRun);
        fields.check();
        var peer = elsewhere.find(new ClusterId(id));
        if (peer.isPresent() && isTried) {
            throw Problem.field(
                    ProblemCode.MALFORMED,
                    "dryRun",
                    dryRun,
                    "is not available for a cluster of another Berth. Leave it out.");
        }
        if (peer.isPresent()) {
            return elsewhere.change(peer.get(), patch, expected);
        }
        return here.change(id, patch, expected, isTried, account);
    }

    /** Reads a cluster. */
    @GetMapping("/{id}")
    ResponseEntity<ClusterBody> readCluster(@PathVariable String id, @AuthenticationPrincipal Account account) {
        var peer = elsewhere.find(new ClusterId(id));
        return peer.isPresent() ? RemoteClusters.tagged(peer.get(), account) : here.read(id);
    }

    /** Removes a cluster of another Berth. A cluster of this Berth cannot be removed, but it can be retired. */
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Refuses(WRONG_STATE)
    void forgetCluster(@PathVariable String id) {
        var peer = elsewhere.find(new ClusterId(id));
        if (peer.isEmpty()) {
            throw new Problem(
                    WRONG_STATE,
                    "Cluster %s belongs to this Berth and cannot be removed. To stop new reservations, set its admission to CLOSED; to take it out of use, to RETIRED."
                            .formatted(lookup.schedule(id).cluster().id()));
        }
        elsewhere.forget(peer.get());
    }

    /**
     * Lists clusters: first those of other Berths, then this Berth's own, newest first.
     *
     * @param retired true to list retired clusters, too; false if left out
     */
    @GetMapping
    Page<ClusterBody> listClusters(
            @RequestParam @Nullable String retired,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String after,
            @AuthenticationPrincipal Account account) {
        int most = Page.limit(limit);
        var fields = new Fields();
        boolean withRetired = fields.flag("retired", retired);
        fields.check();
        var clusters = Stream.concat(
                        elsewhere.all(account), desks.clusters().stream().map(ClusterBody::of))
                .filter(cluster -> withRetired || !cluster.isRetired())
                .map(cluster -> cluster.seenBy(account))
                .toList();
        if (after != null) {
            clusters = clusters.stream()
                    .dropWhile(cluster -> !after.equals(cluster.id()))
                    .toList();
            if (clusters.isEmpty()) {
                throw Page.badCursor(after);
            }
            clusters = clusters.subList(1, clusters.size());
        }
        return Page.of(clusters, most, cluster -> cluster, cluster -> String.valueOf(cluster.id()));
    }
}
