package berth.lab.experiment.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.lab.experiment.Figured;
import berth.lab.experiment.PaperFigure;
import berth.lab.experiment.RunEnds;
import berth.lab.experiment.TextTable;
import berth.lab.simulation.Figures;
import berth.lab.workload.JobWindows;
import berth.lab.workload.LogFaults;
import berth.lab.workload.SkipReason;
import berth.lab.workload.SwfJob;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdvisorStudyTest {
    private static final long DAY = 86_400;
    private static final Setting NEVER =
            new Setting(PlacementPolicy.FIRST_FIT, Juggling.NEVER, ReplanOrder.FIFO, Binding.LATE);
    private static final Setting ALWAYS =
            new Setting(PlacementPolicy.FIRST_FIT, Juggling.ALWAYS, ReplanOrder.FIFO, Binding.LATE);

    @Test
    void measuresTheFiguresOfARun() {
        var study = study(rigid(List.of(job(1, 0, 3600, 64)), List.of(job(2, 0, 1800, 128))), List.of(NEVER));
        var results = new AdvisorResults(study, Figured.of(study, 1));

        assertThat(results.sample(NEVER, Aim.ACCEPTANCE).values()).containsExactly(100.0, 100.0);
        assertThat(results.sample(NEVER, Aim.UTILISATION).values())
                .containsExactly(100.0 * 3600 * 64 / (128 * DAY), 100.0 * 1800 * 128 / (128 * DAY));
        assertThat(results.sample(NEVER, Aim.SLOWDOWN).values()).containsExactly(1.0, 1.0);
        assertThat(results.sample(NEVER, Aim.REVENUE).values())
                .as("a PE costs 1.00 an hour and rigid runs have no discount")
                .containsExactly(64.0, 64.0);
        assertThat(results.moves(NEVER).orElseThrow().values()).containsExactly(0.0, 0.0);
        assertThat(results.phi(NEVER)).isEmpty();
    }

    @Test
    void countsTheTimeOfArrivalsUnderAnyLoad() {
        var jobs = List.of(List.of(job(1, 0, 3600, 64)));
        var dense = new LogWorkload(windows(jobs), 128, 0, 0, 2, new RunEnds.AsReserved(), BigDecimal.ZERO, 0);
        var study = study(dense, List.of(NEVER));
        var results = new AdvisorResults(study, Figured.of(study, 1));

        assertThat(results.sample(NEVER, Aim.UTILISATION).mean())
                .isCloseTo(100.0 * 3600 * 64 / (64 * DAY), within(1e-9));
    }

    @Test
    void triesTheStandardSettingsBesideThoseNamed() {
        var study = study(rigid(List.of(job(1, 0, 3600, 64))), List.of(NEVER, ALWAYS));
        var findings = study.findings(Figured.of(study, 1));

        assertThat(study.runs()).extracting(AdvisorRun::setting).containsExactly(NEVER, ALWAYS, Setting.STANDARD);
        assertThat(table(findings.answers(), "All settings").rows()).hasSize(2);
        assertThat(table(findings.answers(), "Recommended").rows().getFirst())
                .as("all are equal: the plainest")
                .containsExactly("settings", "FIRST_FIT, NEVER, LATE");
        assertThat(table(findings.answers(), "Recommended").note()).contains("give no reason to change");
    }

    @Test
    void advisesChangesThatAreBetterBeyondChance() {
        var flexible = new LogWorkload(
                JobWindows.modelled(1, 8, 2 * DAY), 128, 0.5, 400, 1, new RunEnds.AsReserved(), BigDecimal.ZERO, 0);
        var study = new AdvisorStudy(
                flexible,
                Setting.crossing(
                        List.of(PlacementPolicy.FIRST_FIT),
                        List.of(Juggling.values()),
                        List.of(ReplanOrder.EARLIEST_DEADLINE_FIRST),
                        List.of(Binding.LATE)),
                Aim.SLOWDOWN,
                1);
        var findings = study.findings(Figured.of(study, 1));
        var advice = table(findings.answers(), "Recommended for SLOWDOWN");

        assertThat(advice.rows().get(0)).as("nobody waits for others").contains("FIRST_FIT, NEVER, LATE");
        assertThat(advice.rows().get(1)).contains("PATCH /api/v1/clusters/{id} " + NEVER.change());
        assertThat(advice.rows().get(5).getLast()).endsWith("beyond chance");
        assertThat(advice.note()).startsWith("They are better than the standard settings");
        assertThat(table(findings.answers(), "All settings").rows())
                .extracting(List::getFirst)
                .containsExactly("1", "2", "3", "4");
        assertThat(findings.figures()).extracting(PaperFigure::name).containsExactly("orders", "placements");
        assertThat(findings.runs().lines()).hasSize(1 + 4 * 8);
    }

    @Test
    void showsHowFarAlternativesLie() {
        var clashing = IntStream.rangeClosed(1, 20)
                .mapToObj(number -> job(number, 0, 3600, 128))
                .toList();
        var none = study(rigid(clashing), List.of(NEVER));
        var some = study(
                new LogWorkload(
                        windows(List.of(clashing)), 128, 0, 0, 1, new RunEnds.AsReserved(), new BigDecimal("2"), 0),
                List.of(NEVER));
        var taken = new AdvisorResults(some, Figured.of(some, 1));

        assertThat(new AdvisorResults(none, Figured.of(none, 1))
                        .sample(NEVER, Aim.ACCEPTANCE)
                        .mean())
                .isLessThan(taken.sample(NEVER, Aim.ACCEPTANCE).mean());
        assertThat(taken.phi(NEVER).orElseThrow().mean()).isBetween(1.0, 200.0);
    }

    @Test
    void looksAtWaitsWhereEverySettingAccepts() {
        var study = study(rigid(List.of(job(1, 0, 3600, 64)), List.of(job(2, 0, 3600, 64))), List.of(NEVER, ALWAYS));
        var figures = new LinkedHashMap<>(Figured.of(study, 1));
        var none = new Figures(1, 0, new TreeMap<>(Map.of("no-slot", 1)), Double.NaN, 0, 0, 0, 0, Double.NaN, 1);
        figures.put(new AdvisorRun(ALWAYS, 1), new AdvisorFigures(none, 0));
        var results = new AdvisorResults(study, figures);

        assertThat(results.sample(NEVER, Aim.SLOWDOWN).values())
                .as("the second window")
                .containsExactly(1.0);
        assertThat(results.sample(ALWAYS, Aim.ACCEPTANCE).values()).containsExactly(0.0, 100.0);
        figures.put(new AdvisorRun(NEVER, 2), new AdvisorFigures(none, 0));
        assertThat(table(results.findings().answers(), "For each aim").rows())
                .filteredOn(row -> row.getFirst().equals("SLOWDOWN"))
                .as("there is none to tell")
                .allMatch(row -> row.get(4).equals("-"));
    }

    @Test
    void leavesOutWindowsWithoutRequestsAndCountsJobsThatMakeNone() {
        var workload = rigid(
                        List.of(job(1, 0, 59, 1), job(2, 0, 3600, 129)),
                        List.of(job(3, 0, 3600, 64), job(4, 0, 3600, 200)))
                .withoutIdleWindows()
                .orElseThrow();

        assertThat(workload.windows()).isEqualTo(1);
        assertThat(workload.requests(1, 1))
                .singleElement()
                .satisfies(asked -> assertThat(asked.request().job()).isEqualTo(3));
        assertThat(workload.leftOut()).containsOnlyKeys(SkipReason.TOO_LARGE);
    }

    private static TextTable table(List<TextTable> tables, String title) {
        return tables.stream()
                .filter(table -> table.title().startsWith(title))
                .findFirst()
                .orElseThrow();
    }

    private static AdvisorStudy study(Workload workload, List<Setting> settings) {
        return new AdvisorStudy(workload, settings, Aim.UTILISATION, 1);
    }

    @SafeVarargs
    private static LogWorkload rigid(List<SwfJob>... jobs) {
        return new LogWorkload(windows(List.of(jobs)), 128, 0, 0, 1, new RunEnds.AsReserved(), BigDecimal.ZERO, 0);
    }

    private static JobWindows windows(List<List<SwfJob>> jobs) {
        return new JobWindows("made up", OptionalInt.empty(), DAY, jobs, LogFaults.NONE);
    }

    private static SwfJob job(long number, long submit, long runTime, long pes) {
        return new SwfJob(number, submit, runTime, pes, pes, runTime, 1);
    }
}
