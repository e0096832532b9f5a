package berth.experiment;

import java.io.PrintWriter;
import java.util.List;

/** TEMPORARY. */
public record LogStudyReport(String title, List<PaperFigure> figures, List<Claim> claims, CsvFile runs) {
    /** TEMPORARY. */
    public void print(PrintWriter out) {
        Findings.of(title, figures, claims, runs).print(out);
    }

    /** TEMPORARY. */
    public void writeTo(ReportDirectory directory) {
        Findings.of(title, figures, claims, runs).writeTo(directory);
    }
}
