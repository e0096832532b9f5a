package berth.readings;

import static berth.http.ProblemCode.ELSEWHERE;
import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.NOT_FOUND;

import berth.accounts.Account;
import berth.booking.web.ClusterLookup;
import berth.cluster.Cluster;
import berth.engine.Desks;
import berth.engine.Records;
import berth.engine.Records.Grouping;
import berth.engine.Records.Whose;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.Refuses;
import berth.http.Texts;
import berth.readings.ClusterReadingsController.PointBody;
import berth.readings.Readings.PlacementBody;
import berth.readings.UtilisationSum.FiguresBody;
import berth.reservation.ClusterId;
import berth.scheduling.ClusterSchedule;
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

/** Readings of all clusters of this Berth at once, for dashboards. */
@RestController
@RequestMapping("/api/v1")
class ReadingsController {

    /** The largest number of steps of all clusters together, and of placements. */
    private static final int MAX_OF_ALL = 100_000;

    private static final int MAX_GROUPS = 10_000;

    /** The largest number of sums per cluster: a group may owe money in three states and in several currencies. */
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
     * How much of all clusters is booked over time, by which accounts or projects, and at what cost.
     *
     * @param from the beginning of the time range
     * @param to the end of the time range
     * @param pes the PEs that the clusters have at present; the shares refer to them
     * @param mean the booked share over the whole time range
     * @param meanInService the booked share of the PE-seconds in service over the whole time range; null if no PE was in service
     * @param points the booked share in each step
     * @param figures the figures of all clusters together
     * @param groups the figures of each account or project, the most PE-hours first; empty unless requested
     * @param clusters the figures of each cluster, by cluster id
     */
    @Schema(name = "UtilisationOfAll")
    record UtilisationOfAllBody(
            Instant from,
            Instant to,
            long pes,
            double mean,
            @Nullable Double meanInService,
            List<PointBody> points,
            FiguresBody figures,
            List<GroupBody> groups,
            List<ClusterUtilisationBody> clusters) {}

    /**
     * How much of a cluster is booked over time.
     *
     * @param cluster the id of the cluster
     * @param pes the PEs that the cluster has at present; the shares refer to them
     * @param mean the booked share over the whole time range
     * @param meanInService the booked share of the PE-seconds in service over the whole time range; null if no PE was in service
     * @param points the booked share in each step
     * @param figures what is booked, and what it costs
     */
    @Schema(name = "ClusterUtilisation")
    record ClusterUtilisationBody(
            String cluster,
            int pes,
            double mean,
            @Nullable Double meanInService,
            List<PointBody> points,
            FiguresBody figures) {}

    /**
     * The figures of an account or a project.
     *
     * @param name the name of the account or project; null for everything filed under no project, including batch jobs
     * @param share the share of all PE-seconds in the time range that the group has booked
     * @param figures what the group has booked, and what it costs
     */
    @Schema(name = "Group")
    record GroupBody(@Nullable String name, double share, FiguresBody figures) {}

    /**
     * Reads how much of all clusters is booked over time, by which accounts or projects, and at what cost. The past shows what ran, the
     * future what is booked, as in the reading of one cluster. Clusters of other Berths are left out.
     *
     * @param from the beginning of the time range; now, if left out
     * @param to the end of the time range; a day after {@code from}, if left out
     * @param step the length of each step; an hour, if left out. At most 10,000 steps, and 100,000 steps of all clusters together
     * @param cluster the only cluster to read
     * @param owner the only account whose bookings to read
     * @param project the only project to read; its reservations only
     * @param groupBy whether to group the figures by account or by project; at most 10,000 groups
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
        var mean = all.utilisation.mean();
        return new UtilisationOfAllBody(
                Texts.instant(range.start()),
                Texts.instant(range.end()),
                all.pes,
                mean.booked(),
                ClusterReadingsController.inService(mean),
                PointBody.of(all.utilisation),
                all.whole.body(),
                all.groups(),
                each);
    }

    /** Returns the schedules of this Berth's clusters, by id. */
    private List<ClusterSchedule> clusters(@Nullable String only) {
        var ids = only == null
                ? desks.clustersInUse().stream().map(Cluster::id).sorted()
                : Stream.of(new ClusterId(only));
        return ids.map(each -> lookup.schedule(each)).toList();
    }

    /** The bookings on all clusters, which are read one after the other. */
    private final class Bookings {
        private final Slot range;
        private final long length;
        private final Whose whose;
        private final Optional<Grouping> by;
        private final long pes;
        private final long now = readings.now();
        private final Utilisation utilisation;
        private final UtilisationSum whole;
        private final Map<Optional<String>, UtilisationSum> groups = new HashMap<>();

        Bookings(Slot range, long length, Whose whose, Optional<Grouping> by, List<ClusterSchedule> clusters) {
            this.range = range;
            this.length = length;
            this.whose = whose;
            this.by = by;
            pes = clusters.stream()
                    .mapToLong(schedule -> schedule.cluster().pes())
                    .sum();
            utilisation = new Utilisation(range, length, pes);
            whole = new UtilisationSum(range, now);
        }

        ClusterUtilisationBody read(ClusterSchedule schedule) {
            var cluster = schedule.cluster();
            var ofCluster = new Utilisation(range, length, cluster.pes());
            var tally = new UtilisationSum(range, now);
            records.occupied(cluster.id(), range, whose, taken -> {
                ofCluster.add(taken.slot(), taken.pes());
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
            readings.outOfService(schedule, range, (slot, lost) -> {
                ofCluster.lose(slot, lost);
                utilisation.lose(slot, lost);
            });
            var mean = ofCluster.mean();
            return new ClusterUtilisationBody(
                    cluster.id().value(),
                    cluster.pes(),
                    mean.booked(),
                    ClusterReadingsController.inService(mean),
                    PointBody.of(ofCluster),
                    tally.body());
        }

        private <T> List<T> bounded(List<T> sums) {
            if (sums.size() > MAX_SUMS) {
                throw tooMany();
            }
            return sums;
        }

        private UtilisationSum group(Optional<String> name) {
            var group = groups.computeIfAbsent(name, _ -> new UtilisationSum(range, now));
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
                    "makes more than %d groups; ask for a shorter time or for one account".formatted(MAX_GROUPS));
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
     * The reservations, batch jobs and outages of all clusters in a time range.
     *
     * @param clusters the schedules, by cluster id
     */
    @Schema(name = "ScheduleOfAll")
    record ScheduleOfAllBody(List<ClusterScheduleBody> clusters) {}

    /**
     * The reservations, batch jobs and outages of a cluster in a time range.
     *
     * @param cluster the id of the cluster
     * @param pes the PEs that the cluster has at present
     * @param placements the placements, by their starts
     */
    @Schema(name = "ClusterSchedule")
    record ClusterScheduleBody(String cluster, int pes, List<PlacementBody> placements) {}

    /**
     * Reads the schedules of all clusters. Each cluster has at most 10,000 placements, as in the reading of one cluster, and all clusters
     * together have at most 100,000. Clusters of other Berths are left out.
     *
     * @param from the beginning of the time range; now, if left out
     * @param to the end of the time range; if left out, as far after {@code from} as the longest horizon of the clusters
     * @param cluster the only cluster to read
     * @param owner the only account whose reservations and batch jobs to read
     * @param project the only project whose reservations to read
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
        var clusters = clusters(cluster).stream().map(ClusterSchedule::cluster).toList();
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
