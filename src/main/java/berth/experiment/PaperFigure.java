package berth.experiment;

import java.util.List;
import java.util.Map.Entry;

/**
 * A figure of a paper, as numbers.
 *
 * @param title which one, and what it shows
 * @param axis what the points are values of
 */
public record PaperFigure(String title, String axis, Curves<String> curves) {

    /**
     * A row for each point of each curve: the {@code figure}, the {@code line} and the {@code point} of its axis; {@code
     * mean} over the windows; {@code halfWidth95} of its confidence interval, empty for a single window; {@code windows}
     * that it was taken over.
     */
    static CsvFile table(List<PaperFigure> figures) {
        CsvFile table = new CsvFile("figure", "line", "point", "mean", "halfWidth95", "windows");
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
}
