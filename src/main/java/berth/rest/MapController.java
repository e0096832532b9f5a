package berth.rest;

import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.NOT_FOUND;

import berth.cluster.Cluster;
import berth.cluster.Visibility;
import berth.desk.Desks;
import berth.scheduling.FreeMap;
import berth.scheduling.FreeMap.Cell;
import berth.scheduling.FreeMap.Row;
import berth.security.Account;
import berth.security.Role;
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

/** Where runs would fit, over time and by size. */
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
     * A question when runs would fit.
     *
     * @param duration how long they take on a standard PE
     * @param clusters of this Berth where to look; all of them, if left out
     * @param from since when they may begin; now, if left out
     * @param to until when; a week after {@code from}, if left out
     * @param step how long each step of this time is; an hour, if left out; at most 400 of them
     */
    @Schema(name = "MapRequest", example = "{\"duration\":\"PT2H\"}")
    record MapBody(
            @Required @Nullable String duration,
            @Nullable List<String> clusters,
            @Nullable String from,
            @Nullable String to,
            @Nullable String step) {}

    /**
     * When runs would fit.
     *
     * @param duration how long they take on a standard PE
     * @param from since when they may begin
     * @param to until when
     * @param step how long each step of this time is; the last may be shorter
     * @param clusters where
     * @param hidden the clusters whose administrator lets clients probe only
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
     * When runs would fit on a cluster.
     *
     * @param cluster which
     * @param pes its PEs
     * @param currency of the prices
     * @param rows one for each size, a power of two of nodes or the whole cluster
     */
    @Schema(name = "ClusterMap")
    record ClusterMapBody(String cluster, int pes, String currency, List<RowBody> rows) {}

    /**
     * When runs of a size would fit. Each list says something for each step.
     *
     * @param pes how many PEs they take
     * @param starts the earliest start in the step; null: no run can begin in it
     * @param prices the least that such a run costs: if it may begin at any time of the map, and be moved until the cluster's notice;
     *     null where there is none
     * @param availability how well the cluster's batch jobs do without that run: 1 if they lose nothing; null where there is none,
     *     and where jobs are planned that it might delay: a probe tells by how much
     */
    @Schema(name = "MapRow")
    record RowBody(
            int pes,
            List<@Nullable Instant> starts,
            List<@Nullable String> prices,
            List<@Nullable Double> availability) {

        static RowBody of(Row row) {
            return new RowBody(
                    row.pes(),
                    each(row, cell -> Texts.instant(cell.start())),
                    each(row, cell -> MoneyBody.of(cell.price()).amount()),
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
     * Asks when runs of a duration would fit, for sizes from one PE to the whole cluster, where nobody is moved for them. Changes
     * nothing and promises nothing. A client is told of the clusters whose {@code policy.visibility} is not {@code PROBES}. Clusters of
     * other Berths are asked there.
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
            fields.invalid("clusters", null, "must name clusters, none of them null");
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
                    "are %d, too many for so many steps; name fewer, or ask for longer steps".formatted(asked.size()));
        }
        var question = new FreeMap(duration, range, length, account.serviceClass());
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
                ? desks.clusters().stream()
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
        var rows = desks.compute(account.name(), () -> question.ask(outlook.schedule(), outlook.now()));
        return new ClusterMapBody(
                cluster.id().value(),
                cluster.pes(),
                cluster.tariff().currency().getCurrencyCode(),
                rows.stream().map(RowBody::of).toList());
    }
}
