package berth.reports;

import berth.accounts.Account;
import berth.booking.web.ClusterLookup;
import berth.cluster.Cluster;
import berth.engine.Desks;
import berth.engine.ReportRecords.Scope;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.projects.Projects;
import berth.readings.Readings;
import berth.reservation.ClusterId;
import berth.scheduling.ClusterSchedule;
import berth.time.Slot;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * What a report covers.
 *
 * @param schedules the schedules of its clusters, by id
 * @param range the time
 * @param project the only project; empty for everything
 * @param seesClusters whether the caller may see how much the clusters could give
 */
record Asked(List<ClusterSchedule> schedules, Slot range, Optional<String> project, boolean seesClusters) {

    /** Returns the scope with steps of {@code length} seconds. */
    Scope scope(Slot over, long length) {
        return new Scope(
                schedules.stream().map(schedule -> schedule.cluster().id()).toList(), project, over, length);
    }

    /** Reads the parameters that all reports have. */
    @Component
    static class Reader {

        /** The longest time of a report, in days. */
        private static final long MAX_DAYS = 3_660;

        private static final long STANDARD_DAYS = 30;

        private final Desks desks;
        private final ClusterLookup lookup;
        private final Projects projects;
        private final InstantSource clock;

        Reader(Desks desks, ClusterLookup lookup, Projects projects, InstantSource clock) {
            this.desks = desks;
            this.lookup = lookup;
            this.projects = projects;
            this.clock = clock;
        }

        /**
         * Returns what the caller asks for.
         *
         * @throws Problem if a parameter is wrong, or if the caller may not read this
         */
        Asked read(
                Fields fields,
                @Nullable String from,
                @Nullable String to,
                @Nullable String cluster,
                @Nullable String project,
                Account account) {
            var only = fields.label("project", project);
            long end = fields.instantUp("to", to).orElse(clock.instant().getEpochSecond() + 1);
            long start = fields.instantDown("from", from).orElse(Math.max(0, end - STANDARD_DAYS * Readings.DAY));
            if (!fields.hasErrors() && end - start > MAX_DAYS * Readings.DAY) {
                fields.malformed("from", from, "must be at most %d days before to".formatted(MAX_DAYS));
            }
            if (!projects.oversees(account, only)) {
                throw new Problem(
                        ProblemCode.FORBIDDEN,
                        "Only administrators and viewers may read reports on everything. An owner of a project may read those on the project: add project=<its id>.");
            }
            var range = Readings.slot(fields, start, end, to);
            var ids = cluster == null
                    ? desks.clusters().stream().map(Cluster::id).sorted()
                    : Stream.of(new ClusterId(cluster));
            return new Asked(
                    ids.map(id -> lookup.schedule(id)).toList(),
                    range,
                    only,
                    projects.oversees(account, Optional.empty()));
        }
    }
}
