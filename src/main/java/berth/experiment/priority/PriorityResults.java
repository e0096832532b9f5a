package berth.experiment.priority;

import berth.experiment.Claim;
import berth.experiment.CsvFile;
import berth.experiment.Curves;
import berth.experiment.LogStudyReport;
import berth.experiment.PaperFigure;
import berth.experiment.Sample;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The figures of every run of a study.
 *
 * @param figures in the order of the study's runs
 */
record PriorityResults(PriorityStudy study, Map<PriorityRun, RunFigures> figures) {

    /** All that it has to show. */
    LogStudyReport report() {
        var recipe = study.recipe();
        var title = String.format(
                Locale.ROOT,
                "Paper 002: 47 PEs, %d users with %d jobs each, %d repetitions, seed %d, starts within %s h, lengths x%s",
                recipe.users(),
                recipe.jobs(),
                study.repetitions(),
                study.seed(),
                recipe.spread(),
                recipe.scale());
        return new LogStudyReport(title, paperFigures(), claims(), runs());
    }

    /** The seven claims, judged. */
    List<Claim> claims() {
        return new PriorityClaims(this::curves).all();
    }

    private List<PaperFigure> paperFigures() {
        return Arrays.stream(Measure.values())
                .map(measure -> new PaperFigure(measure.title(), "percent reserved", named(curves(measure))))
                .toList();
    }

    private static Curves<String> named(Curves<Order> curves) {
        Map<String, List<Sample>> lines = new LinkedHashMap<>();
        curves.lines().forEach((order, line) -> lines.put(order.name(), line));
        return new Curves<>(curves.points(), lines);
    }

    private Curves<Order> curves(Measure measure) {
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

    private Sample sample(Measure measure, Order order, int share) {
        return new Sample(IntStream.rangeClosed(1, study.repetitions())
                .mapToObj(repetition -> new PriorityRun(order, share, repetition))
                .map(run -> measure.of(Optional.ofNullable(figures.get(run)).orElseThrow()))
                .toList());
    }

    /**
     * A row for each run: its {@code order}, the {@code share} of reserved jobs in percent, {@code repetition} from 1 and the
     * {@code seed} of its jobs; {@code waiting}, {@code offset}, {@code rejections} and {@code utilisation} as {@link Measure}
     * has them.
     */
    CsvFile runs() {
        CsvFile table =
                new CsvFile("order", "share", "repetition", "seed", "waiting", "offset", "rejections", "utilisation");
        figures.forEach((run, result) -> table.add(
                run.order(),
                run.share(),
                run.repetition(),
                study.seedOf(run.repetition()),
                result.waiting(),
                result.offset(),
                result.rejections(),
                result.utilisation()));
        return table;
    }
}
