package berth.reports;

import berth.engine.ReportRecords.Booking;
import berth.engine.ReportRecords.Earned;
import berth.engine.ReportRecords.Scope;
import berth.http.Csv;
import berth.http.CsvBody;
import berth.http.MoneyBody;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.SignedMoneyBody;
import berth.http.Texts;
import berth.readings.PeSeconds;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adds up PE-hours and revenue by project and step of time. */
final class ProjectsReport {

    /** The largest number of steps of all projects together. */
    static final int MAX_POINTS = 50_000;

    private final Scope scope;
    private final long now;
    private final int steps;
    private final Map<Optional<String>, Tally> projects = new HashMap<>();

    ProjectsReport(Scope scope, long now) {
        this.scope = scope;
        this.now = now;
        steps = PeSeconds.steps(scope.range(), scope.step());
    }

    private static final class Tally {
        private final PeSeconds booked;
        private final PeSeconds used;
        private final Amounts amounts = new Amounts();
        private final Map<Integer, Amounts> byStep = new HashMap<>();

        private Tally(Scope scope) {
            booked = new PeSeconds(scope.range(), scope.step());
            used = new PeSeconds(scope.range(), scope.step());
        }
    }

    void add(Booking booking) {
        if (booking.parts().stream().anyMatch(part -> part.slot().overlaps(scope.range()))) {
            var tally = tally(booking.project());
            Capacity.add(booking, tally.booked, tally.used, now);
        }
    }

    void add(Earned earned) {
        var tally = tally(earned.group());
        tally.amounts.add(earned.currency(), earned.price(), earned.credit());
        tally.byStep
                .computeIfAbsent(earned.step(), _ -> new Amounts())
                .add(earned.currency(), earned.price(), earned.credit());
    }

    private Tally tally(Optional<String> project) {
        var tally = projects.computeIfAbsent(project, _ -> new Tally(scope));
        if ((long) projects.size() * steps > MAX_POINTS) {
            throw tooMany();
        }
        return tally;
    }

    static Problem tooMany() {
        return Problem.field(
                ProblemCode.MALFORMED,
                "step",
                null,
                "divides the projects into more than %d points; ask for longer steps, a shorter time or one project"
                        .formatted(MAX_POINTS));
    }

    /**
     * PE-hours and revenue by project, in steps of time.
     *
     * @param from start of the period
     * @param to end of the period
     * @param step length of each step; the last one may be shorter
     * @param completeFrom the time from which all ended reservations are still in the tables; figures of earlier times are too low. Null if
     *     nothing has been deleted
     * @param projects the figures of each project, the most booked PE-hours first
     */
    @Schema(name = "ProjectReport")
    record ProjectsBody(
            Instant from, Instant to, String step, @Nullable Instant completeFrom, List<ProjectBody> projects)
            implements CsvBody {

        @Override
        public List<String> columns() {
            return List.of("start", "project", "pe_hours_booked", "pe_hours_used", "currency", "revenue", "credits");
        }

        /** A line has PE-hours or, for each currency, money, so that each column can be added up. */
        @Override
        public Stream<List<String>> lines() {
            return projects.stream().flatMap(ProjectBody::lines);
        }
    }

    /**
     * The figures of a project.
     *
     * @param project the project, or the label of reservations; null for batch jobs and for reservations without a project
     * @param booked PE-hours that were reserved or taken by batch jobs, including the rest of a run that ended early
     * @param used PE-hours that runs and batch jobs have had until now
     * @param revenue prices owed for the reservations that ended, less what was taken off earlier ones, one amount for each currency
     * @param credits credits for failures and for lost PEs, one amount for each currency
     * @param points the figures in each step
     */
    @Schema(name = "ReportedProject")
    record ProjectBody(
            @Nullable String project,
            BigDecimal booked,
            BigDecimal used,
            List<SignedMoneyBody> revenue,
            List<MoneyBody> credits,
            List<PointBody> points) {

        private Stream<List<String>> lines() {
            var name = project == null ? "" : Csv.text(project);
            return points.stream().flatMap(point -> point.lines(name));
        }
    }

    /**
     * The figures of a project in a step.
     *
     * @param start when the step begins
     * @param booked PE-hours that were reserved or taken by batch jobs
     * @param used PE-hours that runs and batch jobs have had until now
     * @param revenue prices owed for the reservations that ended, one amount for each currency
     * @param credits credits for failures and for lost PEs, one amount for each currency
     */
    @Schema(name = "ProjectPoint")
    record PointBody(
            Instant start, BigDecimal booked, BigDecimal used, List<SignedMoneyBody> revenue, List<MoneyBody> credits) {

        private Stream<List<String>> lines(String project) {
            var lines = new ArrayList<List<String>>();
            if (booked.signum() != 0) {
                lines.add(List.of(start.toString(), project, booked.toPlainString(), used.toPlainString(), "", "", ""));
            }
            for (var sum : revenue) {
                var credit = Amounts.amount(credits, sum.currency());
                lines.add(List.of(start.toString(), project, "", "", sum.currency(), sum.amount(), credit));
            }
            return lines.stream();
        }
    }

    ProjectsBody body(@Nullable Instant completeFrom) {
        var bodies = projects.entrySet().stream()
                .map(entry -> body(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(ProjectBody::booked)
                        .reversed()
                        .thenComparing(ProjectBody::project, Comparator.nullsLast(Comparator.naturalOrder())))
                .toList();
        return new ProjectsBody(
                Texts.instant(scope.range().start()),
                Texts.instant(scope.range().end()),
                Texts.duration(scope.step()),
                completeFrom,
                bodies);
    }

    private ProjectBody body(Optional<String> name, Tally tally) {
        var booked = tally.booked.inSteps();
        var used = tally.used.inSteps();
        var none = new Amounts();
        return new ProjectBody(
                Texts.orNull(name),
                Amounts.hours(tally.booked.sum()),
                Amounts.hours(tally.used.sum()),
                tally.amounts.revenue(),
                tally.amounts.credits(),
                IntStream.range(0, steps)
                        .mapToObj(i -> {
                            var amounts = tally.byStep.getOrDefault(i, none);
                            return new PointBody(
                                    Texts.instant(tally.booked.step(i).start()),
                                    Amounts.hours(booked[i]),
                                    Amounts.hours(used[i]),
                                    amounts.revenue(),
                                    amounts.credits());
                        })
                        .toList());
    }
}
