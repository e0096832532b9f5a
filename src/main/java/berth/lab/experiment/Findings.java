package berth.lab.experiment;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The results of a study.
 *
 * @param title the subject, see {@link Study#title}
 * @param answers tables to read first; often none
 * @param figures the paper's figures, in order
 * @param claims the paper's claims, in order
 * @param readings the same runs judged by other readings of the paper; often none
 * @param runs a row for each run
 * @param tables further tables by file name
 * @param charts further charts by file name
 */
public record Findings(
        String title,
        List<TextTable> answers,
        List<PaperFigure> figures,
        List<PaperClaim> claims,
        List<OtherReading> readings,
        CsvFile runs,
        Map<String, CsvFile> tables,
        Map<String, LineChart> charts) {

    public Findings {
        answers = List.copyOf(answers);
        figures = List.copyOf(figures);
        claims = List.copyOf(claims);
        readings = List.copyOf(readings);
        tables = new TreeMap<>(tables);
        charts = new TreeMap<>(charts);
    }

    /** Returns findings with only figures, claims and runs. */
    public static Findings of(String title, List<PaperFigure> figures, List<PaperClaim> claims, CsvFile runs) {
        return new Findings(title, List.of(), figures, claims, List.of(), runs, Map.of(), Map.of());
    }

    /** Returns these findings with another table to read first. */
    public Findings with(TextTable answer) {
        return new Findings(
                title,
                Stream.concat(answers.stream(), Stream.of(answer)).toList(),
                figures,
                claims,
                readings,
                runs,
                tables,
                charts);
    }

    /** Returns these findings with other readings. */
    public Findings with(List<OtherReading> others) {
        return new Findings(title, answers, figures, claims, others, runs, tables, charts);
    }

    /** Returns these findings with another table. */
    public Findings with(String file, CsvFile table) {
        var more = new TreeMap<>(tables);
        more.put(file, table);
        return new Findings(title, answers, figures, claims, readings, runs, more, charts);
    }

    /** Returns these findings with another chart. */
    public Findings with(String file, LineChart chart) {
        var more = new TreeMap<>(charts);
        more.put(file, chart);
        return new Findings(title, answers, figures, claims, readings, runs, tables, more);
    }

    /** Prints the answers, the figures, and the claims with their verdicts. */
    void print(PrintWriter out) {
        out.println(title);
        answers.forEach(answer -> answer.print(out));
        for (PaperFigure figure : figures) {
            CurveTable.print(figure.title(), figure.axis(), figure.curves(), out);
        }
        ClaimReport.print(claims, out);
    }

    /**
     * Writes {@code runs.csv}; {@code means.csv} with a row for each point of the figures; {@code claims.csv} if there are claims; the
     * further tables; and all charts.
     */
    void writeTo(ReportDirectory directory) {
        directory.write("runs.csv", runs.lines());
        directory.write("means.csv", PaperFigure.table(figures).lines());
        if (!claims.isEmpty()) {
            directory.write("claims.csv", ClaimReport.table(claims).lines());
        }
        tables.forEach((file, table) -> directory.write(file, table.lines()));
        figures.forEach(
                figure -> directory.write(figure.name() + ".svg", figure.chart().svg()));
        charts.forEach((file, chart) -> directory.write(file, chart.svg()));
    }
}
