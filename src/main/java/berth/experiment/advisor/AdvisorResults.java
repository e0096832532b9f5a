package berth.experiment.advisor;

import berth.experiment.CsvFile;
import berth.experiment.Estimate;
import berth.experiment.Findings;
import berth.experiment.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures of every run of a study, and what is to be advised.
 *
 * @param figures in the order of the study's runs
 */
record AdvisorResults(AdvisorStudy study, Map<AdvisorRun, AdvisorFigures> figures) {
    /** All that it has to show. */
    Findings findings() {
        Ranking ranking = ranking(study.aim());
        var tables = new AdvisorTables(this);
        return Findings.of(study.title(), new AdvisorCharts(this, ranking).all(), List.of(), runs())
                .with(tables.replayed())
                .with(tables.advice(ranking))
                .with(tables.leads())
                .with(tables.all(ranking))
                .with("settings.csv", settings(ranking));
    }

    /** How well all settings serve an aim. */
    Ranking ranking(Aim aim) {
        return Ranking.of(aim, study.settings(), preferred(), setting -> sample(setting, aim));
    }

    /** A value for each window in which all settings have one. */
    Sample sample(Setting setting, Aim aim) {
        var windows = windows(aim);
        return windows.isEmpty() ? new Sample(List.of(Double.NaN)) : sampleOf(setting, windows, run -> value(run, aim));
    }

    private Sample sampleOf(Setting setting, List<Integer> windows, ToDoubleFunction<AdvisorRun> value) {
        return new Sample(windows.stream()
                .map(window -> value.applyAsDouble(new AdvisorRun(setting, window)))
                .toList());
    }

    /** Those in which all settings have a value: where nobody is accepted nobody waits. */
    private List<Integer> windows(Aim aim) {
        var all = study.workload().numbers();
        return aim == Aim.SLOWDOWN
                ? all.stream().filter(this::isEverywhereAccepted).toList()
                : all;
    }

    private boolean isEverywhereAccepted(int window) {
        return study.tried().stream()
                .allMatch(setting -> of(new AdvisorRun(setting, window)).all().accepted() > 0);
    }

    private double value(AdvisorRun run, Aim aim) {
        AdvisorFigures came = of(run);
        return switch (aim) {
            case ACCEPTANCE -> 100 * came.all().acceptance();
            case UTILISATION ->
                100
                        * came.all().area()
                        / ((double) study.workload().pes() * study.workload().span());
            case SLOWDOWN -> came.all().meanSlowdown();
            case REVENUE -> came.revenue();
        };
    }

    /** The figures of one run of the study. */
    AdvisorFigures of(AdvisorRun run) {
        return Optional.ofNullable(figures.get(run)).orElseThrow();
    }

    /** Who moves the fewest comes first, then who is plainest. */
    Comparator<Setting> preferred() {
        Map<Setting, Double> moves = study.tried().stream()
                .collect(Collectors.toMap(
                        setting -> setting,
                        setting -> moves(setting).map(Sample::mean).orElse(0.0)));
        return Comparator.<Setting>comparingDouble(moves::get).thenComparing(Setting.PLAINEST_FIRST);
    }

    /** How often one of the accepted was moved, by windows in which some were; empty: none were. */
    Optional<Sample> moves(Setting setting) {
        return whereThere(setting, AdvisorFigures::movesEach);
    }

    /** Mean |φ| in percent, by windows in which alternatives were taken; empty: none were. */
    Optional<Sample> phi(Setting setting) {
        return whereThere(setting, came -> 100 * came.all().meanPhi());
    }

    private Optional<Sample> whereThere(Setting setting, ToDoubleFunction<AdvisorFigures> value) {
        var values = study.workload().numbers().stream()
                .map(window -> value.applyAsDouble(of(new AdvisorRun(setting, window))))
                .filter(Double::isFinite)
                .toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(new Sample(values));
    }

    /**
     * A row for each setting. {@code rank} by the study's aim, shared by those equal in every window; the setting; mean and
     * half width of the 95 % interval of each measure, as in the table for people.
     */
    private CsvFile settings(Ranking ranking) {
        CsvFile table = new CsvFile(
                "rank",
                "placement",
                "juggling",
                "order",
                "binding",
                "acceptance",
                "acceptanceHalfWidth95",
                "utilisation",
                "utilisationHalfWidth95",
                "slowdown",
                "slowdownHalfWidth95",
                "revenue",
                "revenueHalfWidth95",
                "moves",
                "movesHalfWidth95",
                "phi",
                "phiHalfWidth95");
        for (int rank = 1; rank <= ranking.ranks().size(); rank++) {
            for (Setting setting : ranking.ranks().get(rank - 1).settings()) {
                List<Object> row = new ArrayList<>();
                row.add(rank);
                row.addAll(List.of(setting.placement(), setting.juggling(), setting.order(), setting.binding()));
                Stream.of(Aim.values()).forEach(aim -> add(row, Optional.of(sample(setting, aim))));
                add(row, moves(setting));
                add(row, phi(setting));
                table.add(row.toArray());
            }
        }
        return table;
    }

    private static void add(List<Object> row, Optional<Sample> sample) {
        var estimate = sample.map(Sample::estimate).orElse(new Estimate(Double.NaN, Double.NaN));
        row.add(estimate.mean());
        row.add(estimate.halfWidth());
    }

    /**
     * A row for each run. {@code placement}, {@code juggling}, {@code order}, {@code binding}: the setting; {@code window}
     * from 1 and the {@code seed} of what was drawn for it; {@code requests} made; {@code accepted}; {@code acceptance} and
     * {@code utilisation} in percent, {@code slowdown} and {@code revenue} as {@link Aim} has them; {@code moves} of the
     * accepted; {@code alternatives} taken and their {@code meanPhi}, a share; {@code offeredLoad}, a share.
     */
    private CsvFile runs() {
        CsvFile table = new CsvFile(
                "placement",
                "juggling",
                "order",
                "binding",
                "window",
                "seed",
                "requests",
                "accepted",
                "acceptance",
                "utilisation",
                "slowdown",
                "revenue",
                "moves",
                "alternatives",
                "meanPhi",
                "offeredLoad");
        figures.forEach((run, came) -> table.add(
                run.setting().placement(),
                run.setting().juggling(),
                run.setting().order(),
                run.setting().binding(),
                run.window(),
                study.seedOf(run.window()),
                came.all().requests(),
                came.all().accepted(),
                value(run, Aim.ACCEPTANCE),
                value(run, Aim.UTILISATION),
                value(run, Aim.SLOWDOWN),
                value(run, Aim.REVENUE),
                came.all().moves(),
                came.all().alternatives(),
                came.all().meanPhi(),
                came.all().offeredLoad()));
        return table;
    }
}
