package berth.experiment.adaptive;

import berth.experiment.Claim;
import berth.experiment.CsvFile;
import berth.experiment.Curves;
import berth.experiment.Findings;
import berth.experiment.PaperFigure;
import berth.experiment.Sample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The figures of every run of a study.
 *
 * @param figures in the order of the study's runs
 */
record AdaptiveResults(AdaptiveStudy study, Map<AdaptiveRun, AdaptiveFigures> figures) {
    /** Of the 48 windows of the paper the best four and the worst four are left out, of others as many in proportion. */
    private static final int WINDOWS_OF_ONE_LEFT_OUT = 12;

    private static final List<RequestType> MOLDABLE =
            List.of(RequestType.MOLDABLE, RequestType.BOTH_20, RequestType.BOTH_60);

    /** All that it has to show. */
    Findings findings() {
        return Findings.of(study.title(), paperFigures(), claims(), runs());
    }

    /** The figures of one run of the study. */
    AdaptiveFigures of(Setting setting, int window) {
        return Optional.ofNullable(figures.get(new AdaptiveRun(setting, window)))
                .orElseThrow();
    }

    /** By how many percent a setting earns more than another, by windows. */
    Sample profitGain(Setting setting, Setting other, int incentive) {
        int rank = AdaptiveStudy.INCENTIVES.indexOf(incentive);
        return compared(
                setting,
                other,
                (one, base) -> 100 * (one.profits().get(rank) / base.profits().getFirst() - 1));
    }

    /** By how many percent requests are done sooner that both settings accept, by windows. */
    Sample completionCut(Setting setting, Setting other) {
        return compared(
                setting,
                other,
                (one, base) -> 100
                        * (1
                                - one.completions().meanAmongThoseOf(base.completions())
                                        / base.completions().meanAmongThoseOf(one.completions())));
    }

    /** By how many points of all requests a setting rejects fewer than another, by windows. */
    Sample rejectionCut(Setting setting, Setting other) {
        return compared(
                setting,
                other,
                (one, base) -> 100 * (one.all().acceptance() - base.all().acceptance()));
    }

    /** The share of the accepted moldable requests that ran on fewer than R^max PEs, in percent, by all windows. */
    Sample modified(Setting setting) {
        return of(setting, one -> 100 * one.modified());
    }

    /** How far accepted moldable requests were modified, in percent, by all windows. */
    Sample modification(Setting setting) {
        return of(setting, one -> 100 * one.modification());
    }

    private Sample of(Setting setting, ToDoubleFunction<AdaptiveFigures> measure) {
        return new Sample(IntStream.rangeClosed(1, study.windows())
                .mapToObj(window -> measure.applyAsDouble(of(setting, window)))
                .toList());
    }

    /** A comparison by windows; without the best and the worst, and those where there is nothing to compare. */
    private Sample compared(
            Setting setting, Setting other, ToDoubleBiFunction<AdaptiveFigures, AdaptiveFigures> comparison) {
        int leftOut = study.windows() / WINDOWS_OF_ONE_LEFT_OUT;
        var sorted = IntStream.rangeClosed(1, study.windows())
                .mapToObj(window -> comparison.applyAsDouble(of(setting, window), of(other, window)))
                .filter(Double::isFinite)
                .sorted()
                .toList();
        return sorted.size() > 2 * leftOut
                ? new Sample(sorted.subList(leftOut, sorted.size() - leftOut))
                : new Sample(List.of(Double.NaN));
    }

    /** The seven claims, judged. */
    List<Claim> claims() {
        return AdaptiveClaims.of(new AdaptiveClaims.Evidence(
                this::profitGain, this::completionCut, this::rejectionCut, this::modified, this::modification));
    }

    /** The figures of the paper, as numbers. */
    List<PaperFigure> paperFigures() {
        return List.of(
                byLoad(
                        "figure 4: profit, in percent above FIFO with rigid requests",
                        (setting, base) -> profitGain(setting, base, 0)),
                byLoad(
                        "the same, at the prices that were agreed",
                        (setting, base) ->
                                compared(setting, base, (one, other) -> 100 * (one.agreed() / other.agreed() - 1))),
                byLoad(
                        "figure 5: completion time, in percent below FIFO with rigid requests, of requests that both accept",
                        this::completionCut),
                byLoad(
                        "the same, of all that each accepts",
                        (setting, base) -> compared(
                                setting,
                                base,
                                (one, other) -> 100
                                        * (1
                                                - one.completions().mean()
                                                        / other.completions().mean()))),
                byLoad("figure 6: rejected requests, in points below FIFO with rigid requests", this::rejectionCut),
                incentives(),
                ofMoldable("figure 8: moldable requests on fewer than R^max PEs, in percent", this::modified),
                ofMoldable("figure 9: modification of moldable requests, in percent", this::modification));
    }

    private static PaperFigure byLoad(String title, BiFunction<Setting, Setting, Sample> measure) {
        return lines(
                title,
                Stream.of(RequestType.values()).toList(),
                setting -> measure.apply(setting, setting.traditional()));
    }

    private static PaperFigure ofMoldable(String title, Function<Setting, Sample> measure) {
        return lines(title, MOLDABLE, measure);
    }

    private static PaperFigure lines(String title, List<RequestType> types, Function<Setting, Sample> measure) {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        for (Scheduler scheduler : Scheduler.values()) {
            for (RequestType type : types) {
                lines.put(
                        scheduler + " " + type,
                        AdaptiveStudy.LOADS.stream()
                                .map(load -> measure.apply(new Setting(type, scheduler, load)))
                                .toList());
            }
        }
        return new PaperFigure(
                title,
                "load",
                new Curves<>(
                        AdaptiveStudy.LOADS.stream().map(load -> "x" + load).toList(), lines));
    }

    private PaperFigure incentives() {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        for (RequestType type : List.of(RequestType.PREEMPTIBLE_20, RequestType.PREEMPTIBLE_60)) {
            var setting = new Setting(type, Scheduler.MDF, AdaptiveStudy.LOADS.getLast());
            lines.put(
                    setting.scheduler() + " " + type,
                    AdaptiveStudy.INCENTIVES.stream()
                            .map(incentive -> profitGain(setting, setting.traditional(), incentive))
                            .toList());
        }
        return new PaperFigure(
                "figure 7: profit at load x1.5, in percent above FIFO with rigid requests",
                "incentive",
                new Curves<>(
                        AdaptiveStudy.INCENTIVES.stream()
                                .map(incentive -> incentive + " %")
                                .toList(),
                        lines));
    }

    /**
     * A row for each run. {@code selection}, {@code type}, {@code scheduler}, {@code load}: its setting; {@code window} from 1 and the {@code seed} of what
     * was drawn for it; {@code requests} made; {@code accepted}; {@code profit} at each incentive and {@code agreed}, in dollars; {@code meanCompletion} of the accepted in
     * seconds; {@code modified} and {@code modification} as {@link AdaptiveFigures} has them; {@code moves}, {@code utilisation} and {@code offeredLoad} as {@link
     * berth.simulation.Figures} has them.
     */
    CsvFile runs() {
        CsvFile table = new CsvFile(
                "selection",
                "type",
                "scheduler",
                "load",
                "window",
                "seed",
                "requests",
                "accepted",
                "profit0",
                "profit10",
                "profit20",
                "profit30",
                "profit40",
                "agreed",
                "meanCompletion",
                "modified",
                "modification",
                "moves",
                "utilisation",
                "offeredLoad");
        figures.forEach((run, result) -> table.add(
                study.selection(),
                run.setting().type(),
                run.setting().scheduler(),
                run.setting().load(),
                run.window(),
                study.seedOf(run.window()),
                result.all().requests(),
                result.all().accepted(),
                result.profits().get(0),
                result.profits().get(1),
                result.profits().get(2),
                result.profits().get(3),
                result.profits().get(4),
                result.agreed(),
                result.completions().mean(),
                result.modified(),
                result.modification(),
                result.all().moves(),
                result.all().utilisation(),
                result.all().offeredLoad()));
        return table;
    }
}
