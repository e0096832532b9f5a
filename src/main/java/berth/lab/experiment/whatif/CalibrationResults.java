package berth.lab.experiment.whatif;

import berth.cluster.AvailabilityRules;
import berth.lab.experiment.Columns;
import berth.lab.experiment.CsvFile;
import berth.lab.experiment.Curves;
import berth.lab.experiment.Findings;
import berth.lab.experiment.LineChart;
import berth.lab.experiment.LineChart.Line;
import berth.lab.experiment.PaperFigure;
import berth.lab.experiment.Sample;
import berth.lab.experiment.whatif.CalibrationStudy.Run;
import berth.lab.experiment.whatif.Observation.Tried;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The observations of every run of a study.
 *
 * @param observed in the order of the study's runs
 */
record CalibrationResults(CalibrationStudy study, Map<Run, Observations> observed) {
    private static final double HOUR = 3600;
    private static final List<Double> CLASSES = List.of(0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.0);

    /** An effect of a slot. */
    private enum Delay {
        ALONE("extra wait, no more jobs", slot -> slot.alone().extraWait()),
        ALONE_LATER("later end, no more jobs", slot -> slot.alone().later()),
        AMONG("extra wait of all", slot -> slot.among().extraWait()),
        AMONG_LATER("later end of all", slot -> slot.among().later());

        private final String words;
        private final ToLongFunction<Tried> of;

        Delay(String words, ToLongFunction<Tried> of) {
            this.words = words;
            this.of = of;
        }

        /** Returns how little each slot delays jobs. */
        List<Double> mildness(Observation one) {
            return one.slots().stream()
                    .map(slot -> -(double) of.applyAsLong(slot))
                    .toList();
        }

        /** Whether the slots delay jobs differently, so that there is something to predict. */
        boolean differs(Observation one) {
            return mildness(one).stream().distinct().count() > 1;
        }
    }

    /** Returns all findings. */
    Findings findings() {
        var all = observed.values().stream()
                .flatMap(run -> run.requests().stream())
                .toList();
        String title = "%s, requests: %d, slots: %d"
                .formatted(
                        study.title(),
                        all.size(),
                        all.stream().mapToInt(one -> one.slots().size()).sum());
        return Findings.of(title, figures(), List.of(), slots()).with("calibration.svg", chart());
    }

    private List<PaperFigure> figures() {
        List<PaperFigure> figures = new ArrayList<>();
        for (int bookAhead : CalibrationStudy.BOOK_AHEAD) {
            for (Estimates estimates : Estimates.values()) {
                Function<ToDoubleFunction<List<Observation>>, Sample> over =
                        figure -> sample(estimates, bookAhead, figure);
                String which = "bat %d h, estimates %s".formatted(bookAhead, estimates.words());
                String name = "%s-bat-%d".formatted(estimates.slug(), bookAhead);
                figures.add(correlations(name, which, over));
                figures.add(chosen(name, which, over));
            }
        }
        return figures;
    }

    /** Returns a value for each repetition that has one. */
    private Sample sample(Estimates estimates, int bookAhead, ToDoubleFunction<List<Observation>> figure) {
        var values = IntStream.rangeClosed(1, study.repetitions())
                .mapToObj(repetition -> figure.applyAsDouble(
                        Optional.ofNullable(observed.get(new Run(estimates, bookAhead, repetition)))
                                .orElseThrow()
                                .requests()))
                .filter(Double::isFinite)
                .toList();
        return new Sample(values.isEmpty() ? List.of(Double.NaN) : values);
    }

    private static PaperFigure correlations(
            String name, String which, Function<ToDoubleFunction<List<Observation>>, Sample> over) {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        for (Predictor predictor : Predictor.values()) {
            lines.put(predictor.words(), byDelay(over, delay -> within(predictor, delay)));
        }
        lines.put(
                "requests that count",
                byDelay(
                        over,
                        delay -> run -> run.stream().filter(delay::differs).count()));
        return new PaperFigure(
                "correlation-" + name,
                which + ": rank correlation between the score of a slot and how little it delays jobs",
                "delay",
                "rank correlation",
                new Curves<>(Stream.of(Delay.values()).map(delay -> delay.words).toList(), lines));
    }

    private static List<Sample> byDelay(
            Function<ToDoubleFunction<List<Observation>>, Sample> over,
            Function<Delay, ToDoubleFunction<List<Observation>>> figure) {
        return Stream.of(Delay.values())
                .map(delay -> over.apply(figure.apply(delay)))
                .toList();
    }

    /**
     * Returns the correlation among the slots of a request, averaged over the requests. A request whose slots all delay jobs equally is
     * left out; 0 counts if all slots have equal scores.
     */
    private static ToDoubleFunction<List<Observation>> within(Predictor predictor, Delay delay) {
        return run -> run.stream()
                .filter(delay::differs)
                .mapToDouble(one -> RankCorrelation.of(one.scores(predictor), delay.mildness(one))
                        .orElse(0))
                .average()
                .orElse(Double.NaN);
    }

    /**
     * Returns a figure of the extra wait per request if the slot with the best score is granted, the earliest among equals; and if requests
     * get other slots, among them the one that a request without freedom gets on a new cluster of the service.
     */
    private static PaperFigure chosen(
            String name, String which, Function<ToDoubleFunction<List<Observation>>, Sample> over) {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        for (Predictor predictor : Predictor.values()) {
            lines.put(predictor.words(), bothWaits(over, (one, wait) -> wait.applyAsLong(best(one, predictor))));
        }
        lines.put("the earliest", bothWaits(over, (one, wait) -> wait.applyAsLong(earliest(one, 0))));
        double threshold = AvailabilityRules.SERVICE.minAvailability().doubleValue();
        lines.put(
                "the earliest of at least %s, or the best".formatted(threshold),
                bothWaits(over, (one, wait) -> wait.applyAsLong(earliest(one, threshold))));
        lines.put(
                "any slot",
                bothWaits(
                        over,
                        (one, wait) ->
                                one.slots().stream().mapToLong(wait).average().orElseThrow()));
        lines.put(
                "the best in hindsight",
                bothWaits(
                        over,
                        (one, wait) ->
                                one.slots().stream().mapToLong(wait).min().orElseThrow()));
        return new PaperFigure(
                "cost-" + name,
                which + ": extra wait per request if the slot with the best score is granted, s",
                "jobs",
                "seconds",
                new Curves<>(List.of(Delay.ALONE.words, Delay.AMONG.words), lines));
    }

    private static Tried best(Observation one, Predictor predictor) {
        return one.slots().stream()
                .max(Comparator.<Tried>comparingDouble(slot -> slot.score(predictor))
                        .thenComparing(Tried::start, Comparator.reverseOrder()))
                .orElseThrow();
    }

    /** Returns the earliest slot with this availability or a higher one; the most available if there is none. */
    private static Tried earliest(Observation one, double availability) {
        return one.slots().stream()
                .filter(slot -> slot.score(Predictor.WHAT_IF) >= availability)
                .min(Comparator.comparingLong(Tried::start))
                .orElseGet(() -> best(one, Predictor.WHAT_IF));
    }

    /** The cost of a request in seconds, by the slot it gets. */
    private interface Cost {
        double of(Observation one, ToLongFunction<Tried> wait);
    }

    private static List<Sample> bothWaits(Function<ToDoubleFunction<List<Observation>>, Sample> over, Cost cost) {
        return Stream.of(Delay.ALONE, Delay.AMONG)
                .map(delay -> over.apply(run -> run.stream()
                        .mapToDouble(one -> cost.of(one, delay.of))
                        .average()
                        .orElse(Double.NaN)))
                .toList();
    }

    /**
     * Returns a row for each slot. Columns: {@code estimates}; {@code bat} in hours; {@code repetition}; the {@code job} that became the
     * request; {@code start}; its scores {@code load}, {@code whatIf}, {@code makespan}, {@code completion}; its effects if no more jobs
     * arrive, {@code aloneExtraWait} and {@code aloneLater}, and on all jobs, {@code extraWait} and {@code later}, in seconds.
     */
    CsvFile slots() {
        record Row(Run run, Observation request, Tried slot) {}

        List<Row> all = new ArrayList<>();
        observed.forEach((run, observations) ->
                observations.requests().forEach(one -> one.slots().forEach(slot -> all.add(new Row(run, one, slot)))));
        return CsvFile.of(
                new Columns<Row>()
                        .with("estimates", row -> row.run.estimates())
                        .with("bat", row -> row.run.bookAhead())
                        .with("repetition", row -> row.run.repetition())
                        .with("job", row -> row.request.job())
                        .with("start", row -> row.slot.start())
                        .with("load", row -> row.slot.score(Predictor.LOAD))
                        .with("whatIf", row -> row.slot.score(Predictor.WHAT_IF))
                        .with("makespan", row -> row.slot.score(Predictor.MAKESPAN))
                        .with("completion", row -> row.slot.score(Predictor.COMPLETION))
                        .with("aloneExtraWait", row -> row.slot.alone().extraWait())
                        .with("aloneLater", row -> row.slot.alone().later())
                        .with("extraWait", row -> row.slot.among().extraWait())
                        .with("later", row -> row.slot.among().later()),
                all);
    }

    /**
     * Returns a chart of the mean extra wait in each class of availability by what-if, for slots without book-ahead time. The dashed line
     * assumes that no more jobs arrive.
     */
    LineChart chart() {
        List<Line> lines = new ArrayList<>();
        for (Estimates estimates : Estimates.values()) {
            for (Delay delay : List.of(Delay.ALONE, Delay.AMONG)) {
                lines.add(LineChart.line(
                        "%s, %s".formatted(estimates.words(), delay == Delay.ALONE ? "alone" : "all"),
                        estimates.ordinal(),
                        delay == Delay.ALONE,
                        byClass(estimates, delay).stream()
                                .map(m -> new berth.lab.experiment.Estimate(m, 0))
                                .toList()));
            }
        }
        return new LineChart(
                "Extra wait by availability, bat 0 h",
                "availability by what-if, up to",
                "mean extra wait of a slot, h",
                LineChart.named(CLASSES.stream().map(String::valueOf).toList()),
                lines);
    }

    private List<Double> byClass(Estimates estimates, Delay delay) {
        List<Double> means = new ArrayList<>();
        for (int i = 0; i < CLASSES.size(); i++) {
            double above = i == 0 ? 0 : CLASSES.get(i - 1);
            double most = CLASSES.get(i);
            means.add(observed.entrySet().stream()
                    .filter(run -> run.getKey().estimates() == estimates
                            && run.getKey().bookAhead() == 0)
                    .flatMap(run -> run.getValue().requests().stream())
                    .flatMap(one -> one.slots().stream())
                    .filter(slot -> slot.score(Predictor.WHAT_IF) > above && slot.score(Predictor.WHAT_IF) <= most)
                    .mapToDouble(slot -> delay.of.applyAsLong(slot) / HOUR)
                    .average()
                    .orElse(Double.NaN));
        }
        return means;
    }
}
