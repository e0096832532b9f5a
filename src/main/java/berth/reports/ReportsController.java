package berth.reports;

import static berth.http.ProblemCode.ELSEWHERE;
import static berth.http.ProblemCode.FORBIDDEN;
import static berth.http.ProblemCode.INVALID_TERMS;
import static berth.http.ProblemCode.NOT_FOUND;

import berth.accounts.Account;
import berth.engine.Desks;
import berth.engine.Records.Grouping;
import berth.engine.ReportRecords;
import berth.engine.ReportRecords.Scope;
import berth.http.Csv;
import berth.http.Fields;
import berth.http.Refuses;
import berth.http.Texts;
import berth.readings.Readings;
import berth.reports.HoursReport.HoursBody;
import berth.reports.OwnersReport.OwnersBody;
import berth.reports.ProjectsReport.ProjectsBody;
import berth.reports.Summary.SummaryBody;
import berth.time.Slot;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reports for managers on all clusters of this Berth, as JSON or, with {@code Accept: text/csv}, as comma-separated values. */
@RestController
@RequestMapping("/api/v1/reports")
class ReportsController {

    private static final int MAX_STEPS = 1_000;
    private static final int MAX_LIMIT = 100;
    private static final int STANDARD_LIMIT = 10;
    private static final ZoneId UTC = ZoneId.of("UTC");

    private final Asked.Reader reader;
    private final ReportRecords records;
    private final Desks desks;
    private final InstantSource clock;

    ReportsController(Asked.Reader reader, ReportRecords records, Desks desks, InstantSource clock) {
        this.reader = reader;
        this.records = records;
        this.desks = desks;
        this.clock = clock;
    }

    /**
     * Reads utilisation, revenue, requests, moves, promises and credits of a period, beside those of the period before, which is as long and
     * ends where it begins. A client may read this for a project of which it is an owner.
     *
     * @param from start of the period; 30 days before {@code to} if left out. The period may have at most 3,660 days
     * @param to end of the period; now if left out
     * @param cluster the only cluster
     * @param project the only project
     */
    @GetMapping(
            path = "/summary",
            produces = {MediaType.APPLICATION_JSON_VALUE, Csv.TYPE})
    @Refuses({FORBIDDEN, NOT_FOUND, ELSEWHERE})
    SummaryBody readSummary(
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String cluster,
            @RequestParam @Nullable String project,
            @AuthenticationPrincipal Account account) {
        var asked = reader.read(new Fields(), from, to, cluster, project, account);
        var range = asked.range();
        var before = new Slot(range.start() - range.duration(), range.start());
        var scope = asked.scope(new Slot(before.start(), range.end()), range.duration());
        desks.recordRefusals();
        var steps = Capacity.read(asked, scope, records, now()).steps();
        var refused = records.refused(scope);
        var summaries = new Summary[steps.length];
        for (int i = 0; i < steps.length; i++) {
            var number =
                    asked.project().isPresent() ? OptionalLong.empty() : OptionalLong.of(refused.getOrDefault(i, 0L));
            summaries[i] = new Summary(i == 0 ? before : range, steps[i], asked.seesClusters(), number);
        }
        records.events(scope).forEach(sum -> summaries[sum.step()].add(sum));
        return new SummaryBody(completeFrom(scope), summaries[1].body(), summaries[0].body());
    }

    /**
     * Reads PE-hours and revenue by project, in steps of time. Reservations without a project and batch jobs have an entry without a name. A
     * client may read this for a project of which it is an owner.
     *
     * @param from start of the period; 30 days before {@code to} if left out. The period may have at most 3,660 days
     * @param to end of the period; now if left out
     * @param step length of each step, counted from {@code from}; a day if left out. The period may have at most 1,000 steps, and all
     *     projects together at most 50,000
     * @param cluster the only cluster
     * @param project the only project
     */
    @GetMapping(
            path = "/projects",
            produces = {MediaType.APPLICATION_JSON_VALUE, Csv.TYPE})
    @Refuses({FORBIDDEN, INVALID_TERMS, NOT_FOUND, ELSEWHERE})
    ProjectsBody readProjects(
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String step,
            @RequestParam @Nullable String cluster,
            @RequestParam @Nullable String project,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields();
        long length = fields.durationUp("step", step).orElse(Readings.DAY);
        if (length < 1) {
            fields.invalid("step", step, "must be longer than zero");
        }
        var asked = reader.read(fields, from, to, cluster, project, account);
        if ((asked.range().duration() - 1) / length >= MAX_STEPS) {
            fields.malformed(
                    "step",
                    step,
                    "divides the time into more than %d steps; ask for longer steps or a shorter time"
                            .formatted(MAX_STEPS));
            fields.check();
        }
        var scope = asked.scope(asked.range(), length);
        var report = new ProjectsReport(scope, now());
        records.bookings(scope, report::add);
        var earned = records.earned(scope, Grouping.PROJECT, ProjectsReport.MAX_POINTS + 1);
        if (earned.size() > ProjectsReport.MAX_POINTS) {
            throw ProjectsReport.tooMany();
        }
        earned.forEach(report::add);
        return report.body(completeFrom(scope));
    }

    /**
     * Reads the accounts with the most booked PE-hours, with their reservations, revenue and credits. A client may read this for a project
     * of which it is an owner.
     *
     * @param from start of the period; 30 days before {@code to} if left out. The period may have at most 3,660 days
     * @param to end of the period; now if left out
     * @param limit the largest number of accounts; 10 if left out
     * @param cluster the only cluster
     * @param project the only project
     */
    @GetMapping(
            path = "/owners",
            produces = {MediaType.APPLICATION_JSON_VALUE, Csv.TYPE})
    @Refuses({FORBIDDEN, NOT_FOUND, ELSEWHERE})
    OwnersBody readOwners(
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String limit,
            @RequestParam @Nullable String cluster,
            @RequestParam @Nullable String project,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields();
        int most = limit(fields, limit);
        var asked = reader.read(fields, from, to, cluster, project, account);
        var scope = asked.scope(asked.range(), asked.range().duration());
        var report = new OwnersReport(scope, now());
        records.bookings(scope, report::add);
        var earned = records.earned(scope, Grouping.OWNER, OwnersReport.MAX_OWNERS + 1);
        if (earned.size() > OwnersReport.MAX_OWNERS) {
            throw OwnersReport.tooMany();
        }
        earned.forEach(report::add);
        return report.body(most, completeFrom(scope));
    }

    /**
     * Reads utilisation by weekday and hour, over all weeks of a period. A client may read this for a project of which it is an owner.
     *
     * @param from start of the period, rounded down to a quarter of an hour; 30 days before {@code to} if left out. The period may have at
     *     most 3,660 days
     * @param to end of the period; now if left out
     * @param zone the time zone of the hours; UTC if left out
     * @param cluster the only cluster
     * @param project the only project
     */
    @GetMapping(
            path = "/hours",
            produces = {MediaType.APPLICATION_JSON_VALUE, Csv.TYPE})
    @Refuses({FORBIDDEN, NOT_FOUND, ELSEWHERE})
    HoursBody readHours(
            @RequestParam @Nullable String from,
            @RequestParam @Nullable String to,
            @RequestParam @Nullable String zone,
            @RequestParam @Nullable String cluster,
            @RequestParam @Nullable String project,
            @AuthenticationPrincipal Account account) {
        var fields = new Fields();
        var hoursOf = zone(fields, zone);
        var asked = reader.read(fields, from, to, cluster, project, account);
        var scope = asked.scope(HoursReport.aligned(asked.range()), HoursReport.STEP);
        var steps = Capacity.read(asked, scope, records, now()).steps();
        return HoursReport.body(asked, hoursOf, steps, completeFrom(scope));
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    private @Nullable Instant completeFrom(Scope scope) {
        long kept = records.keptFrom(scope);
        return kept == 0 ? null : Texts.instant(kept);
    }

    private static int limit(Fields fields, @Nullable String limit) {
        try {
            int most = limit == null ? STANDARD_LIMIT : Integer.parseInt(limit);
            if (most >= 1 && most <= MAX_LIMIT) {
                return most;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        fields.malformed("limit", limit, "must be a whole number from 1 to %d".formatted(MAX_LIMIT));
        return STANDARD_LIMIT;
    }

    private static ZoneId zone(Fields fields, @Nullable String zone) {
        return Texts.zone(zone == null ? UTC.getId() : zone).orElseGet(() -> {
            fields.malformed("zone", zone, Texts.NO_ZONE);
            return UTC;
        });
    }
}
