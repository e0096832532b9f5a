package berth.readings;

import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.NOT_FOUND;

import berth.accounts.Account;
import berth.accounts.Role;
import berth.booking.web.ClusterLookup;
import berth.cluster.Cluster;
import berth.cluster.Visibility;
import berth.engine.Desks;
import berth.http.Fields;
import berth.http.MoneyBody;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.Refuses;
import berth.http.Required;
import berth.http.Texts;
import berth.scheduling.places.FreeMap;
import berth.scheduling.places.FreeMap.Cell;
import berth.scheduling.places.FreeMap.Row;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The call that shows where runs would fit, over time and by size. */
@RestController
class MapController {

    private static final int MAX_STEPS = 400;
    private static final int MAX_STEPS_IN_ALL = 4_000;

    private final Desks desks;
    private final ClusterLookup lookup;
    private final Readings readings;

    MapController(Desks desks, ClusterLookup lookup, Readings readings) {
        this.desks = desks;
        this.lookup = lookup;
        this.readings = readings;
    }

    /**
     * The runs, clusters and period for a map.
     *
     * @param duration length of the runs on a standard PE
     * @param clusters clusters of this Berth to search; all if left out
     * @param from the earliest start; now if left out
     * @param to the latest start; a week after {@code from} if left out
     * @param step length of each step of the map; an hour if left out. The map may have at most 400 steps
     */
    @Schema(name = "MapRequest", example = "{\"duration\":\"PT2H\"}")
    record MapBody(
            @Required @Nullable String duration,
            @Nullable List<String> clusters,
            @Nullable String from,
            @Nullable String to,
            @Nullable String step) {}

    /**
     * A map that shows when runs would fit.
     *
     * @param duration length of the runs on a standard PE
     * @param from the earliest start
     * @param to the latest start
     * @param step length of each step of the map; the last one may be shorter
     * @param clusters the map of each cluster
     * @param hidden the clusters that are left out because their {@code policy.visibility} is {@code PROBES}
     */
    @Schema(name = "FreeMap")
    record FreeMapBody(
            String duration,
            Instant from,
            Instant to,
            String step,
            List<ClusterMapBody> clusters,
            List<String> hidden) {}

    /**
     * The map of one cluster.
     *
     * @param cluster id of the cluster
     * @param pes its number of PEs
     * @param currency currency of the prices
     * @param rows one row for each size: powers of two of nodes, and the whole cluster
     */
    @Schema(name = "ClusterMap")
    record ClusterMapBody(String cluster, int pes, String currency, List<RowBody> rows) {}

    /**
     * The row of a map for runs of one size. Each list has one entry for each step.
     *
     * @param pes size of the runs in PEs
     * @param starts the earliest start in the step; null if no run can start in it
     * @param prices the lowest price of such a run, which applies if the run may start at any time of the map and may be moved until the
     *     cluster's notice; null if no run can start in the step, and for the role SCREEN
     * @param availability how little the run hurts the cluster's batch jobs: 1 if it delays none; null if no run can start in the step, or
     *     if the run might delay planned jobs, in which case a probe returns the figure
     */
    @Schema(name = "MapRow")
    record RowBody(
            int pes,
            List<@Nullable Instant> starts,
            List<@Nullable String> prices,
            List<@Nullable Double> availability) {

        static RowBody of(Row row, Account account) {
            return new RowBody(
                    row.pes(),
                    each(row, cell -> Texts.instant(cell.start())),
                    each(
                            row,
                            cell -> account.isScreen()
                                    ? null
                                    : MoneyBody.of(cell.price()).amount()),
                    each(row, cell -> orNull(cell.availability())));
        }

        private static <T> List<@Nullable T> each(Row row, Function<Cell, @Nullable T> told) {
            return row.cells().stream()
                    .<@Nullable T>map(cell -> cell.isPresent() ? told.apply(cell.get()) : null)
                    .toList();
        }

        private static @Nullable Double orNull(OptionalDouble value) {
            return value.isPresent() ? value.getAsDouble() : null;
        }
    }

    /**
     * Returns when runs of a duration would fit, for sizes from one node to the whole cluster, without moving any reservation. The call
     * changes and promises nothing. A client sees only clusters whose {@code policy.visibility} is not {@code PROBES}. For clusters of
     * other Berths, call those Berths.
     */
    @PostMapping("/api/v1/probes/map")
    @Refuses({NOT_FOUND, INVALID_TERMS})
    FreeMapBody map(@RequestBody MapBody body, @AuthenticationPrincipal Account account) {
        var fields = new Fields(body);
        long duration = fields.durationUp("duration", fields.required("duration", body.duration, "PT1H"))
                .orElse(Readings.HOUR);
        if (duration < 1) {
            fields.invalid("duration", body.duration, "must be longer than zero");
        }
        if (body.clusters != null && body.clusters.contains(null)) {
            fields.invalid("clusters", null, "must contain cluster ids and no null");
        }
        long length = Readings.step(fields, body.step);
        var range = readings.range(fields, body.from, body.to, Readings.WEEK);
        Readings.requireAtMost(MAX_STEPS, range, length, body.step);
        var asked = asked(body.clusters);
        if (asked.size() * ((range.duration() - 1) / length + 1) > MAX_STEPS_IN_ALL) {
            throw Problem.field(
                    ProblemCode.MALFORMED,
                    "clusters",
                    body.clusters,
                    "are %d, too many for this number of steps. Name fewer clusters or use longer steps."
                            .formatted(asked.size()));
        }
        var question = new FreeMap(duration, range, length, account.customer());
        var open = asked.stream().filter(cluster -> isShown(cluster, account)).toList();
        return new FreeMapBody(
                Texts.duration(duration),
                Texts.instant(range.start()),
                Texts.instant(range.end()),
                Texts.duration(length),
                open.stream().map(cluster -> map(cluster, question, account)).toList(),
                asked.stream()
                        .filter(cluster -> !isShown(cluster, account))
                        .map(cluster -> cluster.id().value())
                        .toList());
    }

    private List<Cluster> asked(@Nullable List<String> named) {
        return named == null
                ? desks.clustersInUse().stream()
                        .map(cluster -> lookup.schedule(cluster.id()).cluster())
                        .toList()
                : named.stream()
                        .distinct()
                        .map(name -> lookup.schedule(name).cluster())
                        .toList();
    }

    private static boolean isShown(Cluster cluster, Account account) {
        return account.role() != Role.CLIENT || cluster.policy().visibility().shows(Visibility.MAP);
    }

    private ClusterMapBody map(Cluster cluster, FreeMap question, Account account) {
        var outlook = desks.outlook(cluster.id()).orElseThrow();
        var rows = desks.searches().compute(account.name(), () -> question.ask(outlook.schedule(), outlook.now()));
        return new ClusterMapBody(
                cluster.id().value(),
                cluster.pes(),
                cluster.tariff().currency().getCurrencyCode(),
                rows.stream().map(row -> RowBody.of(row, account)).toList());
    }
}
