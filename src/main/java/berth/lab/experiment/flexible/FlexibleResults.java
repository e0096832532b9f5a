package berth.lab.experiment.flexible;

import berth.cluster.ReplanOrder;
import berth.lab.experiment.Columns;
import berth.lab.experiment.CsvFile;
import berth.lab.experiment.Curves;
import berth.lab.experiment.Findings;
import berth.lab.experiment.OtherReading;
import berth.lab.experiment.PaperClaim;
import berth.lab.experiment.PaperFigure;
import berth.lab.experiment.Sample;
import berth.lab.experiment.Sp2Setup;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The figures of every run of a study.
 *
 * @param figures in the order of the study's runs
 */
record FlexibleResults(FlexibleStudy study, Map<FlexibleRun, FlexibleFigures> figures) {
    private static final String PERCENT = "percent";
    private static final String POINTS = "points";

    /** The alternatives to fixed requests that are compared with them. */
    private enum Offer {
        ALTERNATIVES,
        FLEXIBLE
    }

    /** Returns all findings. */
    Findings findings() {
        return Findings.of(study.title(), paperFigures(), claims(), runs()).with(readings());
    }

    /** Returns the figures of one run. */
    FlexibleFigures of(FlexibleRun run) {
        return Optional.ofNullable(figures.get(run)).orElseThrow();
    }

    /** Returns the utilisation in percent, by window. */
    Sample utilisation(Scenario scenario) {
        return sample(scenario, this::utilisation);
    }

    private double utilisation(FlexibleRun run) {
        return 100 * of(run).all().area() / offered(run);
    }

    /** Returns the PE-seconds of the machine in the time in which the requests of a run arrived. */
    private double offered(FlexibleRun run) {
        return Sp2Setup.PES * study.span(run.scenario().load());
    }

    private double utilisationToLastEnd(FlexibleRun run) {
        return 100 * of(run).all().utilisation();
    }

    private double reserved(FlexibleRun run) {
        return 100 * of(run).reserved() / offered(run);
    }

    private double inPercentOfFixed(FlexibleRun run) {
        var fixed = new FlexibleRun(run.scenario().with(Interval.FIXED), run.window());
        return 100 * utilisation(run) / utilisation(fixed);
    }

    /** Returns the mean |φ| in percent, by window with accepted alternatives. */
    Optional<Sample> phi(Scenario scenario) {
        return distance(scenario, one -> one.all().meanPhi());
    }

    private Optional<Sample> weighedPhi(Scenario scenario) {
        return distance(scenario, FlexibleFigures::weighedPhi);
    }

    private Optional<Sample> distance(Scenario scenario, ToDoubleFunction<FlexibleFigures> phi) {
        var values = IntStream.rangeClosed(1, study.setup().windows())
                .mapToObj(window -> 100 * phi.applyAsDouble(of(new FlexibleRun(scenario, window))))
                .filter(Double::isFinite)
                .toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(new Sample(values));
    }

    private Sample sample(Scenario scenario, ToDoubleFunction<FlexibleRun> measure) {
        return Sample.of(study.setup().windows(), window -> measure.applyAsDouble(new FlexibleRun(scenario, window)));
    }

    /** Returns the judged claims for which the runs suffice. */
    List<PaperClaim> claims() {
        return FlexibleClaims.of(
                new FlexibleEvidence(this::utilisation, this::phi, study.setup().windows()), study.experiments());
    }

    /** Returns the claims on the same runs by other measures. */
    List<OtherReading> readings() {
        return switch (study.version()) {
            case OURS -> readingsOfOurs();
            case LOGGED_RUNS -> List.of(ofReserved());
            case PULLED_FORWARD, USERS_ESTIMATES -> List.of(ofReserved(), inPercentOfFixed());
            case LARGE_JOBS ->
                List.of(toLastEnd(Experiment.LEVELS, Experiment.INTERVALS, Experiment.ESTIMATES), ofReserved());
            case REQUESTED_TIMES ->
                FlexibleStudy.FLEXIBLE.stream().map(this::levelsWith).toList();
            case MORE_JOBS, AT_ONCE, HALF_ASK, ALL_FLEXIBLE, FARTHEST -> List.of();
        };
    }

    private OtherReading toLastEnd(Experiment... experiments) {
        return new OtherReading(
                "utilisation up to the last end of a run",
                claims(this::ofLastEnd, List.of(experiments)),
                claims(this::ofLastEnd, study.experiments()));
    }

    private OtherReading inPercentOfFixed() {
        return reading(
                "gains in percent of what fixed intervals use",
                scenario -> sample(scenario, this::inPercentOfFixed),
                Experiment.ESTIMATES);
    }

    private OtherReading levelsWith(Interval interval) {
        return reading(
                interval.words() + " intervals", scenario -> utilisation(scenario.with(interval)), Experiment.LEVELS);
    }

    private OtherReading ofReserved() {
        return reading(
                "reserved PE-seconds, not used ones",
                scenario -> sample(scenario, this::reserved),
                Experiment.ESTIMATES);
    }

    private List<OtherReading> readingsOfOurs() {
        return List.of(
                toLastEnd(
                        Experiment.ORDERS,
                        Experiment.LEVELS,
                        Experiment.INTERVALS,
                        Experiment.ESTIMATES,
                        Experiment.FIXING,
                        Experiment.ALTERNATIVES),
                reading(
                        "utilisation up to the last end of a run, with long intervals",
                        scenario -> ofLastEnd(scenario.with(Interval.LONG)),
                        this::ofLastEnd,
                        Experiment.LEVELS),
                ofReserved(),
                inPercentOfFixed(),
                new OtherReading(
                                "|φ| weighted by the PE-seconds of the runs",
                                FlexibleClaims.of(
                                        new FlexibleEvidence(
                                                this::utilisation,
                                                this::weighedPhi,
                                                study.setup().windows()),
                                        List.of(Experiment.DISTANCES)))
                        .leaving(claims()));
    }

    private Sample ofLastEnd(Scenario scenario) {
        return sample(scenario, this::utilisationToLastEnd);
    }

    private OtherReading reading(String says, Function<Scenario, Sample> measure, Experiment... experiments) {
        return reading(says, measure, this::utilisation, experiments);
    }

    /** Returns a reading of some experiments; the measure of the others leaves their claims as they are, or judges them otherwise. */
    private OtherReading reading(
            String says,
            Function<Scenario, Sample> measure,
            Function<Scenario, Sample> others,
            Experiment... experiments) {
        return new OtherReading(says, claims(measure, List.of(experiments)))
                .leaving(claims(others, study.experiments()));
    }

    private List<PaperClaim> claims(Function<Scenario, Sample> measure, List<Experiment> experiments) {
        return FlexibleClaims.of(
                new FlexibleEvidence(measure, this::phi, study.setup().windows()), experiments);
    }

    /** Returns the paper's figures as numbers. */
    List<PaperFigure> paperFigures() {
        return study.experiments().stream().flatMap(this::of).toList();
    }

    private Stream<PaperFigure> of(Experiment experiment) {
        return switch (experiment) {
            case ORDERS -> FlexibleStudy.LOADS.stream().map(this::orders);
            case LEVELS ->
                Stream.of(byInterval(
                        "utilisation-fifo",
                        "text: utilisation under FIFO",
                        (interval, load) -> Scenario.of(ReplanOrder.FIFO, interval, load)));
            case INTERVALS -> Stream.of(byInterval("figure2", "figure 2: utilisation under EDF", Scenario::of));
            case ESTIMATES ->
                Stream.of(byInterval(
                        "figure3",
                        "figure 3: utilisation under EDF, run times overestimated",
                        (interval, load) -> Scenario.of(interval, load).with(RunTimes.OVERESTIMATED)));
            case FIXING -> FlexibleStudy.LOADS.stream().map(this::fixing);
            case ALTERNATIVES -> FlexibleStudy.LOADS.stream().map(this::offers);
            case DISTANCES -> Stream.of(distances());
        };
    }

    private PaperFigure orders(double load) {
        return new PaperFigure(
                "figure1-" + slug(load),
                "figure 1: utilisation, above that of Shuffle, load x" + load,
                "interval",
                POINTS,
                Curves.of(
                        FlexibleStudy.ORDERS.subList(1, FlexibleStudy.ORDERS.size()),
                        FlexibleResults::name,
                        List.of(Interval.values()),
                        Interval::words,
                        (order, interval) -> utilisation(Scenario.of(order, interval, load))
                                .minus(utilisation(Scenario.of(ReplanOrder.SHUFFLE, interval, load)))));
    }

    /** The scenario for each interval and load. */
    private interface Scenarios {
        Scenario of(Interval interval, double load);
    }

    private PaperFigure byInterval(String name, String title, Scenarios scenarios) {
        return new PaperFigure(
                name,
                title,
                "interval",
                PERCENT,
                Curves.of(
                        FlexibleStudy.LOADS,
                        load -> "load x" + load,
                        List.of(Interval.values()),
                        Interval::words,
                        (load, interval) -> utilisation(scenarios.of(interval, load))));
    }

    private PaperFigure fixing(double load) {
        return new PaperFigure(
                "figure4-" + slug(load),
                "figure 4: utilisation under EDF, load x" + load,
                "part of the wait after which a reservation is fixed",
                PERCENT,
                Curves.of(
                        FlexibleStudy.FLEXIBLE,
                        Interval::words,
                        List.of(FixedAt.values()),
                        FixedAt::words,
                        (interval, fixedAt) ->
                                utilisation(Scenario.of(interval, load).with(fixedAt))));
    }

    private PaperFigure offers(double load) {
        Sample rigid = utilisation(Scenario.of(Interval.FIXED, load));
        return new PaperFigure(
                "figure5-" + slug(load),
                "figure 5: utilisation, above that of fixed requests without alternatives, load x" + load,
                "φ",
                POINTS,
                Curves.of(
                        List.of(Offer.values()),
                        offer -> offer.name().toLowerCase(Locale.ROOT),
                        FlexibleStudy.FLEXIBLE,
                        FlexibleResults::threshold,
                        (offer, phi) -> utilisation(
                                        offer == Offer.FLEXIBLE
                                                ? Scenario.of(phi, load)
                                                : Scenario.of(Interval.FIXED, load)
                                                        .suggesting(phi))
                                .minus(rigid)));
    }

    private PaperFigure distances() {
        return new PaperFigure(
                "figure6",
                "figure 6: mean |φ| of accepted alternatives",
                "threshold",
                PERCENT,
                Curves.of(
                        FlexibleStudy.LOADS,
                        load -> "load x" + load,
                        FlexibleStudy.FLEXIBLE,
                        FlexibleResults::threshold,
                        (load, threshold) -> phi(Scenario.of(Interval.FIXED, load)
                                        .suggesting(threshold))
                                .orElse(new Sample(List.of(Double.NaN)))));
    }

    private static String threshold(Interval interval) {
        return interval.percent() + " %";
    }

    /** Formats a load as in {@code x125}. */
    private static String slug(double load) {
        return "x%.0f".formatted(100 * load);
    }

    /** Returns the paper's name of an order. */
    static String name(ReplanOrder order) {
        return switch (order) {
            case SHUFFLE -> "Shuffle";
            case FIFO -> "FIFO";
            case BIGGEST_JOB_FIRST -> "BJF";
            case LEAST_FLEXIBLE_FIRST -> "LFF";
            case EARLIEST_DEADLINE_FIRST -> "EDF";
            case MISSING_DEADLINE_FIRST -> "MDF";
        };
    }

    /**
     * Returns a row for each run. Columns: {@code order}, {@code interval}, {@code load}, {@code runTimes}, {@code fixedAt}, {@code
     * suggested} (its scenario); {@code window}, from 1, and the {@code seed} of its draws; {@code requests}; {@code accepted}; {@code
     * refused} as {@code code:count} separated by spaces; {@code utilisation}, PE-seconds of the runs / (PEs · time in which requests
     * arrived); {@code utilisationToLastEnd}, {@code acceptance}, {@code moves}, {@code alternatives}, {@code meanPhi}, {@code offeredLoad}
     * as in {@link berth.lab.simulation.Figures}; {@code reserved}, like utilisation for the requested PE-seconds; {@code weighedPhi} and
     * {@code phiDeviation} as in {@link FlexibleFigures}.
     */
    CsvFile runs() {
        return CsvFile.of(
                new Columns<FlexibleRun>()
                        .with("order", run -> run.scenario().order())
                        .with("interval", run -> run.scenario().interval())
                        .with("load", run -> run.scenario().load())
                        .with("runTimes", run -> run.scenario().runTimes())
                        .with("fixedAt", run -> run.scenario().fixedAt())
                        .with("suggested", run -> run.scenario().suggested())
                        .with("window", FlexibleRun::window)
                        .with("seed", run -> study.setup().seedOf(run.window()))
                        .with("requests", run -> of(run).all().requests())
                        .with("accepted", run -> of(run).all().accepted())
                        .with("refused", run -> of(run).all().refusedByCode())
                        .with("utilisation", run -> utilisation(run) / 100)
                        .with("utilisationToLastEnd", run -> of(run).all().utilisation())
                        .with("acceptance", run -> of(run).all().acceptance())
                        .with("moves", run -> of(run).all().moves())
                        .with("alternatives", run -> of(run).all().alternatives())
                        .with("meanPhi", run -> of(run).all().meanPhi())
                        .with("offeredLoad", run -> of(run).all().offeredLoad())
                        .with("reserved", run -> reserved(run) / 100)
                        .with("weighedPhi", run -> of(run).weighedPhi())
                        .with("phiDeviation", run -> of(run).phiDeviation()),
                figures.keySet());
    }
}
