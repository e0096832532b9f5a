package berth.lab.experiment;

import berth.lab.experiment.Paper.Supported;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The verdicts of all claims under all readings, as a table in Markdown for each paper. */
final class ReadingTable {
    private static final String MAIN = "our main reading";

    private ReadingTable() {}

    /** Returns the lines of the tables of all papers with claims. */
    static List<String> of(Report report) {
        List<String> lines = new ArrayList<>();
        lines.add("# Every claim under every reading");
        lines.add("");
        report.allNotices().forEach(notice -> {
            lines.add(notice);
            lines.add("");
        });
        lines.add(
                "✓ reproduced, ◐ partly, ✗ not, – not checkable; with the number of checks that hold. An empty cell was not judged.");
        lines.add("A bold reading is the one that the paper's text supports best.");
        for (Report.Section section : report.sections()) {
            if (!section.main().claims().isEmpty()) {
                lines.addAll(of(section));
            }
        }
        return lines;
    }

    private static List<String> of(Report.Section section) {
        List<PaperClaim> claims = section.main().claims();
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("## Paper " + section.paper().number());
        lines.add("");
        lines.add(section.main().title() + ".");
        section.paper().supported().ifPresent(supported -> {
            lines.add("");
            lines.add(words(supported, section));
        });
        lines.add("");
        lines.add(row(
                "reading", claims, claim -> claim.id().substring(claim.id().indexOf('-') + 1)));
        lines.add(row("---", claims, _ -> "---"));
        lines.add(row(named("", section), claims, ReadingTable::cell));
        section.readings()
                .forEach(reading -> lines.add(row(
                        named(reading.says(), section),
                        claims,
                        claim -> reading.every().stream()
                                .filter(other -> other.id().equals(claim.id()))
                                .findFirst()
                                .map(ReadingTable::cell)
                                .orElse(""))));
        return lines;
    }

    private static String words(Supported supported, Report.Section section) {
        boolean isThere = supported.says().isEmpty()
                || section.readings().stream()
                        .anyMatch(reading -> reading.says().equals(supported.says()));
        return "The text supports best: **%s**%s. %s"
                .formatted(
                        name(supported.says()), isThere ? "" : ", which these jobs do not allow", supported.because());
    }

    private static String named(String says, Report.Section section) {
        boolean isSupported = section.paper()
                .supported()
                .filter(supported -> supported.says().equals(says))
                .isPresent();
        return isSupported ? "**%s**".formatted(name(says)) : name(says);
    }

    private static String name(String says) {
        return says.isEmpty() ? MAIN : says;
    }

    private static String row(String head, List<PaperClaim> claims, Function<PaperClaim, String> cell) {
        return claims.stream()
                .map(cell)
                .collect(Collectors.joining(" | ", "| %s | ".formatted(head.replace("|", "\\|")), " |"));
    }

    private static String cell(PaperClaim claim) {
        String mark = switch (claim.verdict()) {
            case REPRODUCED -> "✓";
            case PARTLY -> "◐";
            case NOT_REPRODUCED -> "✗";
            case NOT_CHECKABLE -> "–";
        };
        int checks = claim.checks().size();
        return checks == 0
                ? mark
                : "%s %d/%d".formatted(mark, checks - claim.failing().size(), checks);
    }
}
