package berth.experiment.flexible;

import berth.cluster.ReplanOrder;
import berth.experiment.Claim;
import berth.experiment.CsvFile;
import berth.experiment.Curves;
import berth.experiment.Findings;
import berth.experiment.PaperFigure;
import berth.experiment.Sample;
import berth.simulation.Figures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The figures of every run of a study.
 *
 * @param figures in the order of the study's runs
 */
record FlexibleResults(FlexibleStudy study, Map<FlexibleRun, Figures> figures) {

    /** All that it has to show. */
    Findings findings() {
        return Findings.of(study.title(), paperFigures(), claims(), runs());
    }

    /** The figures of one run of the study. */
    Figures of(FlexibleRun run) {
        return Optional.ofNullable(figures.get(run)).orElseThrow();
    }

    /** Utilisation in percent, by windows. */
    Sample utilisation(Scenario scenario) {
        return new Sample(IntStream.rangeClosed(1, study.windows())
                .mapToObj(window -> utilisation(new FlexibleRun(scenario, window)))
                .toList());
    }

    private double utilisation(FlexibleRun run) {
        double pes = FlexibleStudy.PES;
        return 100 * of(run).area() / (pes * study.span(run.scenario().load()));
    }

    /** Mean |φ| in percent, by windows in which alternatives were taken. */
    Optional<Sample> phi(Scenario scenario) {
        var values = IntStream.rangeClosed(1, study.windows())
                .mapToObj(window -> 100 * of(new FlexibleRun(scenario, window)).meanPhi())
                .filter(Double::isFinite)
                .toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(new Sample(values));
    }

    /** The eight claims, judged. */
    List<Claim> claims() {
        return FlexibleClaims.of(new FlexibleClaims.Evidence(this::utilisation, this::phi));
    }

    /** The figures of the paper, as numbers. */
    List<PaperFigure> paperFigures() {
        return Stream.of(
                        FlexibleStudy.LOADS.stream()
                                .map(load -> new PaperFigure(
                                        "figure1-" + slug(load),
                                        "figure 1: utilisation, in points above Shuffle, load x" + load,
                                        "interval",
                                        "points",
                                        curves(
                                                FlexibleStudy.ORDERS.subList(1, FlexibleStudy.ORDERS.size()),
                                                List.of(Interval.values()),
                                                (order, interval) -> aboveShuffle(order, interval, load)))),
                        Stream.of(
                                new PaperFigure(
                                        "utilisation-fifo",
                                        "text: utilisation in percent, FIFO",
                                        "interval",
                                        "percent",
                                        curves(
                                                FlexibleStudy.LOADS,
                                                List.of(Interval.values()),
                                                (load, interval) ->
                                                        utilisation(Scenario.of(ReplanOrder.FIFO, interval, load)))),
                                new PaperFigure(
                                        "figure2",
                                        "figure 2: utilisation in percent, EDF",
                                        "interval",
                                        "percent",
                                        curves(
                                                FlexibleStudy.LOADS,
                                                List.of(Interval.values()),
                                                (load, interval) -> utilisation(Scenario.of(interval, load)))),
                                new PaperFigure(
                                        "figure3",
                                        "figure 3: the same, run times overestimated",
                                        "interval",
                                        "percent",
                                        curves(
                                                FlexibleStudy.LOADS,
                                                List.of(Interval.values()),
                                                (load, interval) -> utilisation(Scenario.of(interval, load)
                                                        .with(RunTimes.OVERESTIMATED))))),
                        FlexibleStudy.LOADS.stream()
                                .map(load -> new PaperFigure(
                                        "figure4-" + slug(load),
                                        "figure 4: utilisation in percent, EDF, load x" + load,
                                        "fixed at",
                                        "percent",
                                        curves(
                                                FlexibleStudy.FLEXIBLE,
                                                List.of(FixedAt.values()),
                                                (interval, fixedAt) -> utilisation(Scenario.of(interval, load)
                                                        .with(fixedAt))))),
                        FlexibleStudy.LOADS.stream().map(this::offers),
                        Stream.of(new PaperFigure(
                                "figure6",
                                "figure 6: |phi| in percent of those who took an alternative",
                                "threshold",
                                "percent",
                                curves(
                                        FlexibleStudy.LOADS,
                                        FlexibleStudy.FLEXIBLE,
                                        (load, threshold) -> phi(Scenario.of(Interval.FIXED, load)
                                                        .suggesting(threshold))
                                                .orElse(new Sample(List.of(Double.NaN)))))))
                .flatMap(figures -> figures)
                .toList();
    }

    private PaperFigure offers(double load) {
        Sample rigid = utilisation(Scenario.of(Interval.FIXED, load));
        return new PaperFigure(
                "figure5-" + slug(load),
                "figure 5: utilisation, in points above fixed requests without alternatives, load x" + load,
                "phi",
                "points",
                curves(
                        List.of("alternatives", "flexible"),
                        FlexibleStudy.FLEXIBLE,
                        (what, phi) -> utilisation(
                                        what.equals("flexible")
                                                ? Scenario.of(phi, load)
                                                : Scenario.of(Interval.FIXED, load)
                                                        .suggesting(phi))
                                .minus(rigid)));
    }

    /** As in {@code x125}. */
    private static String slug(double load) {
        return "x%.0f".formatted(100 * load);
    }

    private Sample aboveShuffle(ReplanOrder order, Interval interval, double load) {
        return utilisation(Scenario.of(order, interval, load))
                .minus(utilisation(Scenario.of(ReplanOrder.SHUFFLE, interval, load)));
    }

    private static <K, P> Curves<String> curves(List<K> keys, List<P> points, BiFunction<K, P, Sample> sample) {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        for (K key : keys) {
            lines.put(
                    key instanceof Double load ? "x" + load : key.toString(),
                    points.stream().map(point -> sample.apply(key, point)).toList());
        }
        return new Curves<>(points.stream().map(Object::toString).toList(), lines);
    }

    /**
     * A row for each run. {@code order}, {@code interval}, {@code load}, {@code runTimes}, {@code fixedAt}, {@code suggested}: its scenario; {@code
     * window} from 1 and the {@code seed} of what was drawn for it; {@code requests} made; {@code accepted}; {@code refused} by code, as {@code code:count} with spaces
     * between; {@code utilisation}: PE-seconds that the runs took / (PEs · the time in which requests came); {@code utilisationToLastEnd}, {@code
     * acceptance}, {@code moves}, {@code alternatives}, {@code meanPhi}, {@code offeredLoad} as {@link Figures} has them.
     */
    CsvFile runs() {
        CsvFile table = new CsvFile(
                "order",
                "interval",
                "load",
                "runTimes",
                "fixedAt",
                "suggested",
                "window",
                "seed",
                "requests",
                "accepted",
                "refused",
                "utilisation",
                "utilisationToLastEnd",
                "acceptance",
                "moves",
                "alternatives",
                "meanPhi",
                "offeredLoad");
        figures.forEach((run, result) -> {
            var scenario = run.scenario();
            table.add(
                    scenario.order(),
                    scenario.interval(),
                    scenario.load(),
                    scenario.runTimes(),
                    scenario.fixedAt(),
                    scenario.suggested(),
                    run.window(),
                    study.seedOf(run.window()),
                    result.requests(),
                    result.accepted(),
                    refused(result),
                    utilisation(run) / 100,
                    result.utilisation(),
                    result.acceptance(),
                    result.moves(),
                    result.alternatives(),
                    result.meanPhi(),
                    result.offeredLoad());
        });
        return table;
    }

    private static String refused(Figures result) {
        return result.refused().entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining(" "));
    }
}
