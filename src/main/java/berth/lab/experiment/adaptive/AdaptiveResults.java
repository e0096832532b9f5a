package berth.lab.experiment.adaptive;

import berth.lab.experiment.Columns;
import berth.lab.experiment.CsvFile;
import berth.lab.experiment.Curves;
import berth.lab.experiment.Findings;
import berth.lab.experiment.JobSelection;
import berth.lab.experiment.OtherReading;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.PaperFigure;
import berth.lab.experiment.Sample;
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
    private static final String PERCENT = "percent";

    /** The number of windows for which one is left out at each end: the paper leaves out the best four and the worst four of its 48. */
    private static final int WINDOWS_OF_ONE_LEFT_OUT = 12;

    private static final List<RequestType> MOLDABLE =
            List.of(RequestType.MOLDABLE, RequestType.BOTH_20, RequestType.BOTH_60);

    /** Returns all findings. */
    Findings findings() {
        return Findings.of(study.title(), paperFigures(), claims(), runs()).with(readings());
    }

    /** Returns the figures of one run. */
    AdaptiveFigures of(AdaptiveRun run) {
        return Optional.ofNullable(figures.get(run)).orElseThrow();
    }

    /** Returns by how many percent a setting earns more than another, by window. */
    Sample profitGain(AdaptiveSetting setting, AdaptiveSetting other, int incentive) {
        return compared(setting, other, profit(incentive));
    }

    private static Comparing profit(int incentive) {
        int rank = AdaptiveStudy.INCENTIVES.indexOf(incentive);
        return (one, base) -> 100 * (one.profits().get(rank) / base.profits().getFirst() - 1);
    }

    private Sample agreedGain(AdaptiveSetting setting, AdaptiveSetting other) {
        return compared(setting, other, (one, base) -> 100 * (one.agreed() / base.agreed() - 1));
    }

    /** Returns by how many percent the requests that both settings accept are completed sooner, by window. */
    Sample completionCut(AdaptiveSetting setting, AdaptiveSetting other) {
        return compared(setting, other, AdaptiveResults::sooner);
    }

    private static double sooner(AdaptiveFigures one, AdaptiveFigures base) {
        return 100
                * (1
                        - one.completions().meanAmongThoseOf(base.completions())
                                / base.completions().meanAmongThoseOf(one.completions()));
    }

    private Sample completionCutOfAll(AdaptiveSetting setting, AdaptiveSetting other) {
        return compared(
                setting,
                other,
                (one, base) ->
                        100 * (1 - one.completions().mean() / base.completions().mean()));
    }

    /** Returns how many fewer requests a setting rejects than another, in points of all requests, by window. */
    Sample rejectionCut(AdaptiveSetting setting, AdaptiveSetting other) {
        return compared(setting, other, AdaptiveResults::fewerRejected);
    }

    private static double fewerRejected(AdaptiveFigures one, AdaptiveFigures base) {
        return 100 * (one.all().acceptance() - base.all().acceptance());
    }

    /** Returns the share of accepted moldable requests that ran on fewer than R^max PEs, in percent, for all windows. */
    Sample modified(AdaptiveSetting setting) {
        return of(setting, one -> 100 * one.modified());
    }

    /** Returns how far accepted moldable requests were modified on average, in percent, for all windows. */
    Sample modification(AdaptiveSetting setting) {
        return of(setting, one -> 100 * one.modification());
    }

    /** Returns how far the modified requests were modified, in percent, for all windows; 0 for a window without modified requests. */
    private Sample modificationOfTheModified(AdaptiveSetting setting) {
        return of(setting, one -> one.modified() == 0 ? 0 : 100 * one.modification() / one.modified());
    }

    private Sample of(AdaptiveSetting setting, ToDoubleFunction<AdaptiveFigures> measure) {
        return Sample.of(
                study.setup().windows(), window -> measure.applyAsDouble(of(new AdaptiveRun(setting, window))));
    }

    /** A comparison of the runs of two settings with the same jobs. */
    private interface Comparing extends ToDoubleBiFunction<AdaptiveFigures, AdaptiveFigures> {}

    /** Returns a comparison by window, without the best and the worst windows and without those that have nothing to compare. */
    private Sample compared(AdaptiveSetting setting, AdaptiveSetting other, Comparing comparing) {
        return compared(setting, other, comparing, study.setup().windows() / WINDOWS_OF_ONE_LEFT_OUT);
    }

    private Sample compared(AdaptiveSetting setting, AdaptiveSetting other, Comparing comparing, int leftOut) {
        var sorted = IntStream.rangeClosed(1, study.setup().windows())
                .mapToObj(window -> comparing.applyAsDouble(
                        of(new AdaptiveRun(setting, window)), of(new AdaptiveRun(other, window))))
                .filter(Double::isFinite)
                .sorted()
                .toList();
        return sorted.size() > 2 * leftOut
                ? new Sample(sorted.subList(leftOut, sorted.size() - leftOut))
                : new Sample(List.of(Double.NaN));
    }

    /** Returns the judged claims for which the loads suffice. */
    List<PaperClaim> claims() {
        return study.hasAllLoads()
                ? AdaptiveClaims.all(evidence())
                : AdaptiveClaims.of(
                        evidence(), ProfitClaims::normalLoad, ProfitClaims::highLoad, ProfitClaims::incentive);
    }

    private AdaptiveEvidence evidence() {
        return new AdaptiveEvidence(
                this::profitGain,
                this::completionCut,
                this::rejectionCut,
                this::modified,
                this::modification,
                List.of(Share.values()),
                study.setup().windows());
    }

    /**
     * Returns the claims on the same runs by other measures; empty unless the study has all jobs and chooses shapes by our main reading.
     */
    List<OtherReading> readings() {
        if (study.selection() != JobSelection.ALL || !study.isReshaping()) {
            return List.of();
        }
        if (!study.hasAllLoads()) {
            return List.of(atTheEndsSplitWith(Share.OF_THE_TABLE), atTheEndsSplitWith(Share.OF_THE_TEXT));
        }
        var shares = List.of(splitWith(Share.OF_THE_TABLE), splitWith(Share.OF_THE_TEXT));
        return study.hasDeadlinesAsRead()
                ? Stream.concat(
                                shares.stream(),
                                Stream.of(
                                        withoutRepricing(),
                                        ofAllAccepted(),
                                        ofTheModified(),
                                        withoutRescheduling(),
                                        ofAllWindows()))
                        .toList()
                : shares;
    }

    private OtherReading splitWith(Share share) {
        return new OtherReading(
                share.says(),
                AdaptiveClaims.of(
                        evidence().with(share),
                        ProfitClaims::normalLoad,
                        ClientClaims::sooner,
                        ClientClaims::soonerCorrected,
                        ProfitClaims::incentive,
                        MoldedClaims::modified,
                        MoldedClaims::modification,
                        MoldedClaims::modificationCorrected),
                AdaptiveClaims.all(evidence().with(share)));
    }

    /** Returns a reading based on the lowest and the highest load. */
    private OtherReading atTheEndsSplitWith(Share share) {
        return new OtherReading(
                share.says(),
                AdaptiveClaims.of(evidence().with(share), ProfitClaims::normalLoad, ProfitClaims::incentive));
    }

    /** Returns a reading without the claim about incentives, which take effect only through prices. */
    private OtherReading withoutRepricing() {
        return new OtherReading(
                        "prices as agreed",
                        AdaptiveClaims.of(
                                evidence().earning((setting, other, _) -> agreedGain(setting, other)),
                                ProfitClaims::normalLoad,
                                ProfitClaims::highLoad))
                .leaving(claims().stream()
                        .filter(claim -> !claim.id().equals("003-C5"))
                        .toList());
    }

    private OtherReading ofAllAccepted() {
        return new OtherReading(
                        "completion time of all requests that each accepts",
                        AdaptiveClaims.of(
                                evidence().serving(this::completionCutOfAll, this::rejectionCut),
                                ClientClaims::sooner,
                                ClientClaims::soonerCorrected))
                .leaving(claims());
    }

    private OtherReading ofTheModified() {
        return new OtherReading(
                        "how far modified requests are modified",
                        AdaptiveClaims.of(
                                evidence().molding(this::modified, this::modificationOfTheModified),
                                MoldedClaims::modification,
                                MoldedClaims::modificationCorrected))
                .leaving(claims());
    }

    private OtherReading withoutRescheduling() {
        return new OtherReading(
                        "figures 8 and 9 without rescheduling",
                        AdaptiveClaims.of(
                                evidence()
                                        .molding(
                                                setting -> modified(setting.under(Scheduler.FIFO)),
                                                setting -> modification(setting.under(Scheduler.FIFO))),
                                MoldedClaims::modified,
                                MoldedClaims::modification,
                                MoldedClaims::modificationCorrected))
                .leaving(claims());
    }

    private OtherReading ofAllWindows() {
        return new OtherReading(
                        "no window left out",
                        AdaptiveClaims.of(
                                evidence()
                                        .earning((setting, other, incentive) ->
                                                compared(setting, other, profit(incentive), 0))
                                        .serving(
                                                (setting, other) ->
                                                        compared(setting, other, AdaptiveResults::sooner, 0),
                                                (setting, other) ->
                                                        compared(setting, other, AdaptiveResults::fewerRejected, 0)),
                                ProfitClaims::normalLoad,
                                ProfitClaims::highLoad,
                                ClientClaims::sooner,
                                ClientClaims::soonerCorrected,
                                ClientClaims::fewerRejected,
                                ProfitClaims::incentive))
                .leaving(claims());
    }

    /** Returns the paper's figures as numbers. */
    List<PaperFigure> paperFigures() {
        return List.of(
                compared(
                        "figure4",
                        "figure 4: profit, above FIFO with rigid requests",
                        PERCENT,
                        (setting, base) -> profitGain(setting, base, 0)),
                compared("figure4-agreed", "figure 4, at the agreed prices", PERCENT, this::agreedGain),
                compared(
                        "figure5",
                        "figure 5: completion time, below FIFO with rigid requests, of requests that both accept",
                        PERCENT,
                        this::completionCut),
                compared(
                        "figure5-all",
                        "figure 5, of all requests that each accepts",
                        PERCENT,
                        this::completionCutOfAll),
                compared(
                        "figure6",
                        "figure 6: rejected requests, below FIFO with rigid requests",
                        "points of all requests",
                        this::rejectionCut),
                incentives(),
                ofMoldable("figure8", "figure 8: moldable requests on fewer than R^max PEs", this::modified),
                ofMoldable("figure9", "figure 9: modification of moldable requests", this::modification));
    }

    /** Returns a figure for every setting except the one for comparison. */
    private PaperFigure compared(
            String name, String title, String unit, BiFunction<AdaptiveSetting, AdaptiveSetting, Sample> measure) {
        return byLoad(
                name,
                title,
                unit,
                lines(List.of(RequestType.values())).stream()
                        .filter(setting -> !setting.equals(setting.traditional()))
                        .toList(),
                setting -> measure.apply(setting, setting.traditional()));
    }

    private PaperFigure ofMoldable(String name, String title, Function<AdaptiveSetting, Sample> measure) {
        return byLoad(name, title, PERCENT, lines(MOLDABLE), measure);
    }

    /** Returns the lines of a figure, as settings at the lowest load. */
    private static List<AdaptiveSetting> lines(List<RequestType> types) {
        return Stream.of(Scheduler.values())
                .flatMap(scheduler ->
                        types.stream().map(type -> new AdaptiveSetting(type, scheduler, AdaptiveStudy.NORMAL)))
                .toList();
    }

    private PaperFigure byLoad(
            String name,
            String title,
            String unit,
            List<AdaptiveSetting> lines,
            Function<AdaptiveSetting, Sample> measure) {
        return new PaperFigure(
                name,
                title,
                "load",
                unit,
                Curves.of(
                        lines,
                        AdaptiveSetting::words,
                        study.loads(),
                        load -> "x" + load,
                        (line, load) -> measure.apply(new AdaptiveSetting(line.type(), line.scheduler(), load))));
    }

    private PaperFigure incentives() {
        return new PaperFigure(
                "figure7",
                "figure 7: profit at load x1.5, above FIFO with rigid requests",
                "incentive",
                PERCENT,
                Curves.of(
                        Stream.of(Share.values())
                                .map(share ->
                                        new AdaptiveSetting(share.preemptible(), Scheduler.MDF, AdaptiveStudy.HIGH))
                                .toList(),
                        AdaptiveSetting::words,
                        AdaptiveStudy.INCENTIVES,
                        incentive -> incentive + " %",
                        (setting, incentive) -> profitGain(setting, setting.traditional(), incentive)));
    }

    /**
     * Returns a row for each run. Columns: {@code selection}, {@code type}, {@code scheduler}, {@code load} (its setting); {@code window},
     * from 1, and the {@code seed} of its draws; {@code requests}; {@code accepted}; {@code profit} at each incentive and {@code agreed},
     * in dollars; {@code meanCompletion} of accepted requests in seconds; {@code modified} and {@code modification} as in {@link
     * AdaptiveFigures}; {@code moves}, {@code utilisation} and {@code offeredLoad} as in {@link berth.lab.simulation.Figures}.
     */
    CsvFile runs() {
        return CsvFile.of(
                new Columns<AdaptiveRun>()
                        .with("selection", _ -> study.selection())
                        .with("type", run -> run.setting().type())
                        .with("scheduler", run -> run.setting().scheduler())
                        .with("load", run -> run.setting().load())
                        .with("window", AdaptiveRun::window)
                        .with("seed", run -> study.setup().seedOf(run.window()))
                        .with("requests", run -> of(run).all().requests())
                        .with("accepted", run -> of(run).all().accepted())
                        .with("profit0", run -> of(run).profits().get(0))
                        .with("profit10", run -> of(run).profits().get(1))
                        .with("profit20", run -> of(run).profits().get(2))
                        .with("profit30", run -> of(run).profits().get(3))
                        .with("profit40", run -> of(run).profits().get(4))
                        .with("agreed", run -> of(run).agreed())
                        .with("meanCompletion", run -> of(run).completions().mean())
                        .with("modified", run -> of(run).modified())
                        .with("modification", run -> of(run).modification())
                        .with("moves", run -> of(run).all().moves())
                        .with("utilisation", run -> of(run).all().utilisation())
                        .with("offeredLoad", run -> of(run).all().offeredLoad()),
                figures.keySet());
    }
}
