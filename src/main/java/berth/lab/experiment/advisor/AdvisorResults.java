package berth.lab.experiment.advisor;

import berth.lab.experiment.Columns;
import berth.lab.experiment.CsvFile;
import berth.lab.experiment.Estimate;
import berth.lab.experiment.Findings;
import berth.lab.experiment.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The figures of every run of a study, and the recommendation.
 *
 * @param figures in the order of the study's runs
 */
record AdvisorResults(AdvisorStudy study, Map<AdvisorRun, AdvisorFigures> figures) {
    private static final Sample NO_VALUE = new Sample(List.of(Double.NaN));

    /** Returns all findings. */
    Findings findings() {
        SettingRanking ranking = ranking(study.aim());
        var tables = new AdvisorTables(this);
        return Findings.of(study.title(), new AdvisorCharts(this, ranking).all(), List.of(), runs())
                .with(tables.replayed())
                .with(tables.advice(ranking))
                .with(tables.leads())
                .with(tables.all(ranking))
                .with("settings.csv", settings(ranking));
    }

    /** Returns how well all settings serve an aim. */
    SettingRanking ranking(Aim aim) {
        return SettingRanking.of(aim, study.settings(), keptFirst(), setting -> sample(setting, aim));
    }

    /** Returns a value for each window in which all settings have one. */
    Sample sample(Setting setting, Aim aim) {
        var windows = windows(aim);
        return windows.isEmpty() ? NO_VALUE : sampleOf(setting, windows, run -> value(run, aim));
    }

    private Sample sampleOf(Setting setting, List<Integer> windows, ToDoubleFunction<AdvisorRun> value) {
        return new Sample(windows.stream()
                .map(window -> value.applyAsDouble(new AdvisorRun(setting, window)))
                .toList());
    }

    /** Returns the windows in which all settings have a value; without accepted requests there is no slowdown. */
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

    /** Returns the figures of one run. */
    AdvisorFigures of(AdvisorRun run) {
        return Optional.ofNullable(figures.get(run)).orElseThrow();
    }

    /** Returns the order of preference among equal settings. Those in force come first, because a change would gain nothing. */
    private Comparator<Setting> keptFirst() {
        return switch (study.workload()) {
            case LogWorkload _ -> preferred();
            case RecordedWorkload recorded ->
                Comparator.<Setting, Boolean>comparing(setting -> !setting.equals(recorded.reference()))
                        .thenComparing(preferred());
        };
    }

    /** Returns an order of settings: the fewest moves come first, then the plainest. */
    Comparator<Setting> preferred() {
        Map<Setting, Double> moves = study.tried().stream()
                .collect(Collectors.toMap(
                        setting -> setting,
                        setting -> moves(setting).map(Sample::mean).orElse(0.0)));
        return Comparator.<Setting>comparingDouble(moves::get).thenComparing(Setting.PLAINEST_FIRST);
    }

    /**
     * Returns how often an accepted request moved, on average, for each window with accepted requests; empty if there is no such window.
     */
    Optional<Sample> moves(Setting setting) {
        return whereThere(setting, AdvisorFigures::movesEach);
    }

    /** Returns the mean |φ| in percent, for each window with accepted alternatives; empty if there is no such window. */
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
     * Returns a row for each setting. Columns: {@code rank} by the study's aim, equal for settings that are equal in every window; the
     * setting; the mean and the half width of the 95 % interval of each measure, as in the printed table.
     */
    private CsvFile settings(SettingRanking ranking) {
        record Ranked(int rank, Setting setting) {}

        List<Ranked> all = new ArrayList<>();
        for (int rank = 1; rank <= ranking.ranks().size(); rank++) {
            for (Setting setting : ranking.ranks().get(rank - 1).settings()) {
                all.add(new Ranked(rank, setting));
            }
        }
        return CsvFile.of(
                new Columns<Ranked>()
                        .with("rank", Ranked::rank)
                        .with(Setting.COLUMNS, Ranked::setting)
                        .with(measured("acceptance", setting -> sample(setting, Aim.ACCEPTANCE)), Ranked::setting)
                        .with(measured("utilisation", setting -> sample(setting, Aim.UTILISATION)), Ranked::setting)
                        .with(measured("slowdown", setting -> sample(setting, Aim.SLOWDOWN)), Ranked::setting)
                        .with(measured("revenue", setting -> sample(setting, Aim.REVENUE)), Ranked::setting)
                        .with(measured("moves", setting -> moves(setting).orElse(NO_VALUE)), Ranked::setting)
                        .with(measured("phi", setting -> phi(setting).orElse(NO_VALUE)), Ranked::setting),
                all);
    }

    private static Columns<Setting> measured(String name, Function<Setting, Sample> measure) {
        return new Columns<Setting>()
                .with(
                        Estimate.columns(name, name + "HalfWidth95"),
                        setting -> measure.apply(setting).estimate());
    }

    /**
     * Returns a row for each run. Columns: {@code placement}, {@code juggling}, {@code order}, {@code binding} (the setting); {@code
     * window}, from 1, and the {@code seed} of its draws; {@code requests}; {@code accepted}; {@code acceptance} and {@code utilisation} in
     * percent, {@code slowdown} and {@code revenue} as in {@link Aim}; {@code moves} of accepted requests; {@code alternatives} that were
     * accepted and their {@code meanPhi}, a share; {@code offeredLoad}, a share.
     */
    private CsvFile runs() {
        return CsvFile.of(
                new Columns<AdvisorRun>()
                        .with(Setting.COLUMNS, AdvisorRun::setting)
                        .with("window", AdvisorRun::window)
                        .with("seed", run -> study.seedOf(run.window()))
                        .with("requests", run -> of(run).all().requests())
                        .with("accepted", run -> of(run).all().accepted())
                        .with("acceptance", run -> value(run, Aim.ACCEPTANCE))
                        .with("utilisation", run -> value(run, Aim.UTILISATION))
                        .with("slowdown", run -> value(run, Aim.SLOWDOWN))
                        .with("revenue", run -> value(run, Aim.REVENUE))
                        .with("moves", run -> of(run).all().moves())
                        .with("alternatives", run -> of(run).all().alternatives())
                        .with("meanPhi", run -> of(run).all().meanPhi())
                        .with("offeredLoad", run -> of(run).all().offeredLoad()),
                figures.keySet());
    }
}
