package berth.experiment;

import berth.experiment.LineChart.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;

/**
 * A figure of a paper, as numbers.
 *
 * @param name of its chart's file, without an ending: lower-case letters, digits and hyphens
 * @param title which one, and what it shows
 * @param axis what the points are values of
 * @param unit what the values are, as in {@code percent}
 */
public record PaperFigure(String name, String title, String axis, String unit, Curves<String> curves) {

    /**
     * A row for each point of each curve: the {@code figure}, the {@code line} and the {@code point} of its axis; {@code
     * mean} over the samples; {@code halfWidth95} of its confidence interval, empty for a single one; {@code samples}: of how
     * many windows or repetitions.
     */
    static CsvFile table(List<PaperFigure> figures) {
        CsvFile table = new CsvFile("figure", "line", "point", "mean", "halfWidth95", "samples");
        for (PaperFigure figure : figures) {
            for (Entry<String, List<Sample>> line : figure.curves.lines().entrySet()) {
                for (int i = 0; i < line.getValue().size(); i++) {
                    Sample sample = line.getValue().get(i);
                    Estimate estimate = sample.estimate();
                    table.add(
                            figure.title,
                            line.getKey(),
                            figure.curves.points().get(i),
                            estimate.mean(),
                            estimate.halfWidth(),
                            sample.size());
                }
            }
        }
        return table;
    }

    /** Its lines, with 95 % confidence intervals. */
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
