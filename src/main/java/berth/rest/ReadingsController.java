package berth.rest;

import static berth.rest.ProblemCode.ELSEWHERE;
import static berth.rest.ProblemCode.INVALID_TERMS;
import static berth.rest.ProblemCode.NOT_FOUND;

import berth.cluster.Cluster;
import berth.desk.Desks;
import berth.desk.Records;
import berth.desk.Records.Grouping;
import berth.desk.Records.Whose;
import berth.reservation.ClusterId;
import berth.rest.ClusterReadingsController.PointBody;
import berth.rest.Readings.PlacementBody;
import berth.rest.Tally.FiguresBody;
import berth.security.Account;
import berth.sla.AccountName;
import berth.time.Slot;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What dashboards read of all clusters of this Berth at once. */
@RestController
@RequestMapping("/api/v1")
class ReadingsController {

    /** Steps of all clusters, and placements. */
    private static final int MAX_OF_ALL = 100_000;

    private static final int MAX_GROUPS = 10_000;

    /** Of a cluster: a group may owe in three states, and in some currencies. */
    private static final int MAX_SUMS = 10 * MAX_GROUPS;

    private final Desks desks;
    private final Records records;
    private final ClusterLookup lookup;
    private final Readings readings;

    ReadingsController(Desks desks, Records records, ClusterLookup lookup, Readings readings) {
        this.desks = desks;
        this.records = records;
        this.lookup = lookup;
        this.readings = readings;
    }

    /**
     * How much of all clusters is booked over time, by whom, and what it costs.
     *
     * @param from since when
     * @param to until when
     * @param pes the PEs of the clusters at present, to which the shares refer
     * @param mean the booked share over the whole time
     * @param points the booked share in each step
     * @param figures of all clusters together
     * @param groups the same for each account or project, by the most PE-hours; empty unless it was asked for
     * @param clusters each for itself, by its id
     */
    @Schema(name = "UtilisationOfAll")
    record UtilisationOfAllBody(
            Instant from,
            Instant to,
            long pes,
            double mean,
            List<PointBody> points,
            FiguresBody figures,
            List<GroupBody> groups,
            List<ClusterUtilisationBody> clusters) {}

    /**
     * How much of a cluster is booked over time.
     *
     * @param cluster which
     * @param pes its PEs at present, to which the shares refer
     * @param mean the booked share over the whole time
     * @param points the booked share in each step
     * @param figures what is booked, and what it costs
     */
    @Schema(name = "ClusterUtilisation")
    record ClusterUtilisationBody(String cluster, int pes, double mean, List<PointBody> points, FiguresBody figures) {}

    /**
     * An account or a project.
     *
     * @param name of the account or the project; null for all that is filed under no project, batch jobs included
     * @param share of all PE-seconds of the clusters in the time, the part that is booked by it
     * @param figures what is booked by it, and what it costs
     */
    @Schema(name = "Group")
    record GroupBody(@Nullable String name, double share, FiguresBody figures) {}

    /**
     * Reads how much of all clusters is booked over time, by whom, and what it costs. As for one cluster the past is as it was
     * and the future as booked; clusters of other Berths are left out.
     *
     * @param from since when; now, if left out
     * @param to until when; a day after {@code from}, if left out
     * @param step how long each step is; an hour, if left out; at most 10,000 of them, and at most 100,000 of all clusters
     * @param cluster only this one
     * @param owner only what this account has booked
     * @param project only what is filed under this project: reservations alone
     * @param groupBy whether the figures are told for each account, or for each project; at most 10,000 of them
     */
    @GetMapping("/utilisation")
    @Refuses({INVALID_TERMS, NOT_FOUND, ELSEWHERE})
    UtilisationOfAllBody readUtilisationOfAll(
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String step,
            @RequestParam @Nullable String cluster,
            @RequestParam @Nullable String owner,
            @RequestParam @Nullable String project,
            @RequestParam @Nullable String groupBy) {
        var fields = new Fields();
        var whose = new Whose(fields.label("owner", owner).map(AccountName::new), fields.label("project", project));
        var by = fields.word("groupBy", groupBy, Grouping.class);
        long length = Readings.step(fields, step);
        var range = readings.range(fields, from, to, Readings.DAY);
        var clusters = clusters(cluster);
        Readings.requireAtMost(Math.min(Readings.MAX, MAX_OF_ALL / Math.max(1, clusters.size())), range, length, step);
        var all = new Bookings(range, length, whose, by, clusters);
        var each = clusters.stream().map(all::read).toList();
        return new UtilisationOfAllBody(
                Texts.instant(range.start()),
                Texts.instant(range.end()),
                all.pes,
                all.utilisation.mean(),
                PointBody.of(all.utilisation),
                all.whole.body(),
                all.groups(),
                each);
    }

    /** Those of this Berth, by their ids. */
    private List<Cluster> clusters(@Nullable String only) {
        var ids = only == null ? desks.clusters().stream().map(Cluster::id).sorted() : Stream.of(new ClusterId(only));
        return ids.map(id -> lookup.schedule(id).cluster()).toList();
    }

    /** What is booked on all clusters, which are read one after the other. */
    private final class Bookings {
        private final Slot range;
        private final long length;
        private final Whose whose;
        private final Optional<Grouping> by;
        private final long pes;
        private final long now = readings.now();
        private final Utilisation utilisation;
        private final Tally whole;
        private final Map<Optional<String>, Tally> groups = new HashMap<>();

        Bookings(Slot range, long length, Whose whose, Optional<Grouping> by, List<Cluster> clusters) {
            this.range = range;
            this.length = length;
            this.whose = whose;
            this.by = by;
            pes = clusters.stream().mapToLong(Cluster::pes).sum();
            utilisation = new Utilisation(range, length, pes);
            whole = new Tally(range, now);
        }

        ClusterUtilisationBody read(Cluster cluster) {
            var its = new Utilisation(range, length, cluster.pes());
            var tally = new Tally(range, now);
            records.occupied(cluster.id(), range, whose, taken -> {
                its.add(taken.slot(), taken.pes());
                utilisation.add(taken.slot(), taken.pes());
                tally.add(taken);
                whole.add(taken);
                by.ifPresent(what -> group(what.of(taken)).add(taken));
            });
            bounded(records.revenue(cluster.id(), range, whose, by, MAX_SUMS + 1))
                    .forEach(sum -> {
                        tally.add(sum.money());
                        whole.add(sum.money());
                        by.ifPresent(_ -> group(sum.group()).add(sum.money()));
                    });
            bounded(records.owed(cluster.id(), whose, by, MAX_SUMS + 1)).forEach(owed -> {
                tally.add(owed);
                whole.add(owed);
                by.ifPresent(_ -> group(owed.sum().group()).add(owed));
            });
            return new ClusterUtilisationBody(
                    cluster.id().value(), cluster.pes(), its.mean(), PointBody.of(its), tally.body());
        }

        private <T> List<T> bounded(List<T> sums) {
            if (sums.size() > MAX_SUMS) {
                throw tooMany();
            }
            return sums;
        }

        private Tally group(Optional<String> name) {
            var group = groups.computeIfAbsent(name, _ -> new Tally(range, now));
            if (groups.size() > MAX_GROUPS) {
                throw tooMany();
            }
            return group;
        }

        private Problem tooMany() {
            return Problem.field(
                    ProblemCode.MALFORMED,
                    "groupBy",
                    by.map(Grouping::name).orElse(null),
                    "makes more than %d groups; ask for less time, or for one account".formatted(MAX_GROUPS));
        }

        List<GroupBody> groups() {
            return groups.entrySet().stream()
                    .map(group -> new GroupBody(
                            Texts.orNull(group.getKey()),
                            group.getValue().share(pes),
                            group.getValue().body()))
                    .sorted(Comparator.<GroupBody>comparingDouble(
                                    group -> -group.figures().peHoursBooked())
                            .thenComparing(GroupBody::name, Comparator.nullsLast(Comparator.naturalOrder())))
                    .toList();
        }
    }

    /**
     * What takes the PEs of all clusters in a time.
     *
     * @param clusters by their ids
     */
    @Schema(name = "ScheduleOfAll")
    record ScheduleOfAllBody(List<ClusterScheduleBody> clusters) {}

    /**
     * What takes the PEs of a cluster in a time.
     *
     * @param cluster which
     * @param pes its PEs at present
     * @param placements by their starts
     */
    @Schema(name = "ClusterSchedule")
    record ClusterScheduleBody(String cluster, int pes, List<PlacementBody> placements) {}

    /**
     * Reads the schedule of all clusters. Each is as its own call tells it, with at most 10,000 placements, and 100,000 of all.
     * Clusters of other Berths are left out.
     *
     * @param from since when; now, if left out
     * @param to until when; as far after {@code from} as the longest of the clusters' horizons, if left out
     * @param cluster only this one
     * @param owner only what is this account's: reservations and batch jobs
     * @param project only the reservations that are filed under this project
     */
    @GetMapping("/schedule")
    @Refuses({NOT_FOUND, ELSEWHERE})
    ScheduleOfAllBody readScheduleOfAll(
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String cluster,
            @RequestParam @Nullable String owner,
            @RequestParam @Nullable String project,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields();
        var whose = new Whose(fields.label("owner", owner).map(AccountName::new), fields.label("project", project));
        var clusters = clusters(cluster);
        long horizon = clusters.stream()
                .mapToLong(each -> each.policy().horizon())
                .max()
                .orElse(Readings.DAY);
        var range = readings.range(fields, from, to, horizon);
        var schedules = new ArrayList<ClusterScheduleBody>();
        int all = 0;
        for (var each : clusters) {
            var placements = readings.placements(each.id(), range, whose, Optional.empty(), to, account.name());
            all += placements.size();
            Readings.requireAtMost(MAX_OF_ALL, all, to);
            schedules.add(new ClusterScheduleBody(
                    each.id().value(),
                    each.pes(),
                    placements.stream()
                            .map(placement -> placement.naming(each.nodes()))
                            .toList()));
        }
        return new ScheduleOfAllBody(schedules);
    }
}
