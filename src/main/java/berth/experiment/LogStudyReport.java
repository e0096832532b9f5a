package berth.experiment;

import java.io.PrintWriter;
import java.util.List;

/**
 * What a study of a log has to show.
 *
 * @param title paper, machine and jobs
 * @param runs a row for each run
 */
public record LogStudyReport(String title, List<PaperFigure> figures, List<Claim> claims, CsvFile runs) {

    /** For people: the figures, and the claims with their verdicts. */
    public void print(PrintWriter out) {
        out.println(title);
        for (PaperFigure figure : figures) {
            CurveTable.print(figure.title(), figure.axis(), figure.curves(), out);
        }
        ClaimReport.print(claims, out);
    }

    /** {@code runs.csv}, {@code means.csv}, a row for each point of the figures, and {@code claims.csv} if there are any. */
    public void writeTo(ReportDirectory directory) {
        directory.write("runs.csv", runs);
        directory.write("means.csv", PaperFigure.table(figures));
        if (!claims.isEmpty()) {
            directory.write("claims.csv", ClaimReport.table(claims));
        }
    }
}
