package berth.lab.experiment;

import berth.lab.experiment.LineChart.Line;
import java.util.ArrayList;
import java.util.List;

/**
 * A figure of a paper as numbers.
 *
 * @param name the file name of its chart without an ending: lower-case letters, digits and hyphens
 * @param title which figure it is and what it shows
 * @param axis the label of the points' axis
 * @param unit the unit of the values, as in {@code percent}
 */
public record PaperFigure(String name, String title, String axis, String unit, Curves<String> curves) {

    /**
     * Returns a row for each point of each curve: the {@code figure}, the {@code line}, the {@code point}, the {@code mean} over the
     * samples, {@code halfWidth95} of its confidence interval (empty for a single sample), and the number of {@code samples}, which are
     * windows or repetitions.
     */
    static CsvFile table(List<PaperFigure> figures) {
        record Shown(PaperFigure figure, String line, int at, Sample sample) {}

        List<Shown> all = new ArrayList<>();
        for (PaperFigure figure : figures) {
            figure.curves.lines().forEach((line, samples) -> {
                for (int at = 0; at < samples.size(); at++) {
                    all.add(new Shown(figure, line, at, samples.get(at)));
                }
            });
        }
        return CsvFile.of(
                new Columns<Shown>()
                        .with("figure", row -> row.figure.title)
                        .with("line", Shown::line)
                        .with("point", row -> row.figure.curves.points().get(row.at))
                        .with(Estimate.columns("mean", "halfWidth95"), row -> row.sample.estimate())
                        .with("samples", row -> row.sample.size()),
                all);
    }

    /** Returns a chart of its lines with 95 % confidence intervals. */
    public LineChart chart() {
        List<Line> lines = new ArrayList<>();
        curves.lines()
                .forEach((name, samples) -> lines.add(LineChart.line(
                        name,
                        lines.size(),
                        false,
                        samples.stream().map(Sample::estimate).toList())));
        return new LineChart(title, axis, unit, LineChart.named(curves.points()), lines);
    }
}
