package berth.clusters;

import berth.accounts.Account;
import berth.booking.web.ClusterLookup;
import berth.booking.web.EffectsBody;
import berth.booking.web.Refusals;
import berth.cluster.Cluster;
import berth.engine.Answer;
import berth.engine.Desks;
import berth.http.EntityTag;
import berth.http.EntityTag.Expected;
import berth.http.MergePatch;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.RequestFields;
import berth.scheduling.Event.ClusterEvent;
import berth.scheduling.Rejection;
import berth.scheduling.commands.ChangeCluster;
import berth.series.MaintenanceStore;
import berth.series.SeriesStore;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Reads and changes clusters of this Berth. */
@Component
class LocalClusters {

    private final Desks desks;
    private final ClusterLookup lookup;
    private final MergePatch mergePatch;
    private final SeriesStore series;
    private final MaintenanceStore maintenances;

    LocalClusters(
            Desks desks,
            ClusterLookup lookup,
            MergePatch mergePatch,
            SeriesStore series,
            MaintenanceStore maintenances) {
        this.desks = desks;
        this.lookup = lookup;
        this.mergePatch = mergePatch;
        this.series = series;
        this.maintenances = maintenances;
    }

    ResponseEntity<ClusterBody> read(String id) {
        return tagged(lookup.schedule(id).cluster(), ClusterBody::of);
    }

    /**
     * Changes a cluster by a merge patch.
     *
     * @param isTried whether to return only what the change would do
     */
    ResponseEntity<ClusterBody> change(String id, JsonNode patch, Expected expected, boolean isTried, Account account) {
        var before = lookup.schedule(id).cluster();
        if (!expected.includes(before.version())) {
            throw EntityTag.stale(before.version());
        }
        var wanted = patched(before, patch);
        var after = wanted.toCluster(before.version());
        if (after.isRetired() && !before.isRetired()) {
            requireNothingPlanned(before);
        }
        if (isTried) {
            return tried(new ChangeCluster(before, after), wanted, account);
        }
        var answer = desks.change(
                before.id(),
                expected::includes,
                present -> patched(present, patch).toCluster(present.version()));
        if (answer instanceof Answer.Refused(Rejection.StaleVersion(int _)) && expected instanceof Expected.Any) {
            throw Problem.busy();
        }
        Refusals.granted(answer, RequestFields.fields(wanted));
        return read(id);
    }

    /** Checks that no series will reserve and no maintenance will record anything. The desk checks what it has. */
    private void requireNothingPlanned(Cluster cluster) {
        int open = (int) series.atWork().stream()
                .filter(each -> each.cluster().equals(cluster.id()))
                .count();
        int ahead = (int) maintenances.atWork().stream()
                .filter(each -> each.cluster().equals(cluster.id()))
                .count();
        if (open + ahead > 0) {
            throw Refusals.notAtRest(Rejection.NotAtRest.of(lookup.schedule(cluster.id())), open, ahead);
        }
    }

    private ClusterBody patched(Cluster before, JsonNode patch) {
        var body = mergePatch.apply(patch, ClusterBody.of(before), ClusterBody.class);
        if (!before.id().value().equals(body.id())) {
            throw Problem.field(
                    ProblemCode.INVALID_TERMS,
                    "id",
                    RequestFields.value(body, "id"),
                    "cannot be changed. Leave it out.");
        }
        return body;
    }

    private ResponseEntity<ClusterBody> tried(ChangeCluster change, ClusterBody wanted, Account account) {
        var trial = desks.trial(change.before().id(), account.name(), change);
        var events =
                Refusals.granted(trial.answer(), RequestFields.fields(wanted)).events();
        var changed = events.stream()
                .flatMap(event ->
                        event instanceof ClusterEvent(var _, var cluster, var _) ? Stream.of(cluster) : Stream.empty())
                .reduce(trial.before().cluster(), (_, last) -> last);
        return tagged(
                trial.before().cluster(),
                _ -> ClusterBody.of(changed, EffectsBody.of(events, trial.before(), trial.effects())));
    }

    private static ResponseEntity<ClusterBody> tagged(Cluster cluster, Function<Cluster, ClusterBody> body) {
        var shown = body.apply(cluster);
        return ResponseEntity.ok().eTag(EntityTag.of(cluster.version(), shown)).body(shown);
    }
}
