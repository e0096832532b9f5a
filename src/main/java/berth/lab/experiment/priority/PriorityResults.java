package berth.lab.experiment.priority;

import berth.lab.experiment.Columns;
import berth.lab.experiment.CsvFile;
import berth.lab.experiment.Curves;
import berth.lab.experiment.Findings;
import berth.lab.experiment.OtherReading;
import berth.lab.experiment.PaperFigure;
import berth.lab.experiment.Sample;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The figures of every run of a study.
 *
 * @param figures in the order of the study's runs
 */
record PriorityResults(PriorityStudy study, Map<PriorityRun, RunFigures> figures) {

    /** Returns all findings. */
    Findings findings() {
        return Findings.of(study.title(), paperFigures(), claims().all(), runs())
                .with(List.of(new OtherReading(
                                "waiting time of reserved jobs alone", new PriorityClaims(this::ofReserved).ofWaiting())
                        .leaving(claims().all())));
    }

    private PriorityClaims claims() {
        return new PriorityClaims(this::curves);
    }

    private Curves<Order> ofReserved(PriorityMeasure measure) {
        return measure == PriorityMeasure.WAITING ? curves(RunFigures::reservedWaiting) : curves(measure);
    }

    private List<PaperFigure> paperFigures() {
        return Arrays.stream(PriorityMeasure.values())
                .map(measure -> new PaperFigure(
                        measure.figure(), measure.title(), "percent reserved", measure.unit(), named(curves(measure))))
                .toList();
    }

    private static Curves<String> named(Curves<Order> curves) {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        curves.lines().forEach((order, line) -> lines.put(order.name(), line));
        return new Curves<>(curves.points(), lines);
    }

    private Curves<Order> curves(PriorityMeasure measure) {
        return curves(measure::of);
    }

    private Curves<Order> curves(ToDoubleFunction<RunFigures> measure) {
        Map<Order, List<Sample>> lines = new LinkedHashMap<>();
        for (Order order : Order.values()) {
            lines.put(
                    order,
                    PriorityStudy.SHARES.stream()
                            .map(share -> sample(measure, order, share))
                            .toList());
        }
        return new Curves<>(PriorityStudy.SHARES.stream().map(String::valueOf).toList(), lines);
    }

    private Sample sample(ToDoubleFunction<RunFigures> measure, Order order, int share) {
        return new Sample(IntStream.rangeClosed(1, study.repetitions())
                .mapToObj(repetition -> new PriorityRun(order, share, repetition))
                .map(run -> measure.applyAsDouble(of(run)))
                .toList());
    }

    /** Returns the figures of one run. */
    private RunFigures of(PriorityRun run) {
        return Optional.ofNullable(figures.get(run)).orElseThrow();
    }

    /**
     * Returns a row for each run. Columns: {@code order}; the {@code share} of reserved jobs in percent; {@code repetition}, from 1, and
     * the {@code seed} of its jobs; {@code waiting}, {@code reservedWaiting}, {@code offset}, {@code rejections} and {@code utilisation} as
     * in {@link RunFigures}.
     */
    CsvFile runs() {
        return CsvFile.of(
                new Columns<PriorityRun>()
                        .with("order", PriorityRun::order)
                        .with("share", PriorityRun::share)
                        .with("repetition", PriorityRun::repetition)
                        .with("seed", run -> study.seedOf(run.repetition()))
                        .with("waiting", run -> of(run).waiting())
                        .with("reservedWaiting", run -> of(run).reservedWaiting())
                        .with("offset", run -> of(run).offset())
                        .with("rejections", run -> of(run).rejections())
                        .with("utilisation", run -> of(run).utilisation()),
                figures.keySet());
    }
}
